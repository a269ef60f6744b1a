import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A request as it arrived. */
export interface Received {
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

/** How a receiver answers the request of that number, from 0. */
export type Answer = (response: ServerResponse, at: number) => void;

/** A server on the loopback address that keeps what it gets. */
export interface Receiver extends AsyncDisposable {
  readonly url: string;
  readonly received: readonly Received[];
  /** Resolves when so many requests have arrived. */
  readonly until: (count: number) => Promise<void>;
  readonly close: () => Promise<void>;
}

export const status =
  (code: number, headers: Record<string, string> = {}): Answer =>
  (response) =>
    void response.writeHead(code, headers).end();

/** Answers 200 where nothing else is said. */
export async function createReceiver(answer: Answer = status(200)): Promise<Receiver> {
  const received: Received[] = [];
  const waiting: (() => void)[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      received.push({ path: request.url ?? "", headers: request.headers, body: Buffer.concat(chunks).toString() });
      answer(response, received.length - 1);
      for (const wake of waiting.splice(0)) wake();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return {
    url: `http://127.0.0.1:${port}/told/canary-path?key=canary-query`,
    received,
    until: async (count) => {
      while (received.length < count) await new Promise<void>((resolve) => void waiting.push(resolve));
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}
