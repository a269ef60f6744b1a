import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { gunzipSync } from "node:zlib";
import { anthropic } from "./anthropic.ts";
import { gemini } from "./gemini.ts";
import { openaiChat } from "./openai-chat.ts";
import { openaiResponses } from "./openai-responses.ts";
import { type Answer, answerTo, type Script, type Turn } from "./script.ts";
import { callOf } from "./tool-calls.ts";
import { type Frame, type Json, record, type Wire } from "./wire.ts";

/** A model service on loopback whose model does what a test wrote down. Every test has its own, so no two mix. */
export interface ModelServer extends AsyncDisposable {
  readonly url: string;
  readonly host: string;
  /** What agents asked so far. */
  readonly requests: readonly ModelRequest[];
  /** Replaces what the model is going to do. */
  readonly play: (moves: Script["moves"]) => void;
}

export interface ModelRequest extends Turn {
  readonly wire: Wire["name"];
  readonly headers: IncomingHttpHeaders;
  readonly answer: Answer;
}

const wires: readonly Wire[] = [anthropic, openaiResponses, openaiChat, gemini];

export async function startModelServer(initial: Script): Promise<ModelServer> {
  let script = initial;
  const requests: ModelRequest[] = [];
  const server = createServer((request, response) => {
    void handle(request, response, { script: () => script, requests });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    host: `127.0.0.1:${port}`,
    requests,
    play: (moves) => {
      script = { ...script, moves };
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

interface Service {
  readonly script: () => Script;
  readonly requests: ModelRequest[];
}

async function handle(request: IncomingMessage, response: ServerResponse, service: Service): Promise<void> {
  const { pathname } = new URL(request.url ?? "/", "http://localhost");
  const body = await readBody(request);
  const wire = wires.find(({ matches }) => matches(pathname));
  if (request.method !== "POST" || wire === undefined) return answerAside(pathname, response);
  try {
    const turn = wire.read(body, pathname);
    const answer = answerTo(service.script(), turn, callOf);
    service.requests.push({ ...turn, wire: wire.name, headers: request.headers, answer });
    respond(response, { wire, turn, answer });
  } catch (error) {
    sendJson(response, 400, { error: { message: String(error) } });
  }
}

function respond(
  response: ServerResponse,
  { wire, turn, answer }: { readonly wire: Wire; readonly turn: Turn; readonly answer: Answer },
): void {
  if (answer.kind === "refusal") {
    const { headers, body } = wire.refuse(answer.refusal, turn);
    return sendJson(response, answer.refusal.status, body, headers);
  }
  if (!turn.stream) return sendJson(response, 200, wire.whole(turn, answer.speech));
  const frames = wire.frames(turn, answer.speech);
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
  const sent = answer.stalls ? frames.slice(0, Math.ceil(frames.length / 2)) : frames;
  for (const frame of sent) response.write(serialise(frame));
  if (!answer.stalls) response.end();
}

function serialise({ event, data }: Frame): string {
  const text = typeof data === "string" ? data : JSON.stringify(data);
  return `${event === undefined ? "" : `event: ${event}\n`}data: ${text}\n\n`;
}

/** What agents ask besides answers: how long a prompt is, which models there are. */
function answerAside(path: string, response: ServerResponse): void {
  if (path.endsWith("/count_tokens")) return sendJson(response, 200, { input_tokens: 1200 });
  if (path.endsWith(":countTokens")) return sendJson(response, 200, { totalTokens: 1200 });
  if (path.endsWith("/models"))
    return sendJson(response, 200, { object: "list", data: [], models: [], has_more: false });
  sendJson(response, 404, { error: { message: `There is nothing at ${path}.` } });
}

function sendJson(response: ServerResponse, status: number, body: unknown, headers: object = {}): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify(body));
}

async function readBody(request: IncomingMessage): Promise<Json> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const bytes = Buffer.concat(chunks);
  const text = (request.headers["content-encoding"] === "gzip" ? gunzipSync(bytes) : bytes).toString();
  try {
    return record(JSON.parse(text));
  } catch {
    return {};
  }
}
