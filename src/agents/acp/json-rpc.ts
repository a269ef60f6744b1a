import { agentsLimits } from "../limits.ts";
import { parseRecord } from "../driver-kit/dialect.ts";
import { isRecord, type Json } from "../driver-kit/json.ts";

/** Our side of a JSON-RPC 2.0 connection, over lines whose length is already bounded. */
export interface Peer {
  /** Calls `done` with the answer; never where none comes. */
  readonly request: (method: string, params: Json, done: (answer: Answer) => void) => void;
  readonly notify: (method: string, params: Json) => void;
  readonly hear: (line: string) => void;
}

export type Answer = { readonly ok: true; readonly value: Json } | { readonly ok: false; readonly error: RpcError };

export interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data: unknown;
}

export interface PeerOptions {
  readonly say: (text: string) => void;
  /** Answers a request of the other side; undefined where we have no such method. */
  readonly answer: (method: string, params: Json) => Json | undefined;
  readonly notified: (method: string, params: Json) => void;
}

export function jsonRpcPeer({ say, answer, notified }: PeerOptions): Peer {
  const waiting = new Map<number, (answer: Answer) => void>();
  let lastId = 0;
  let answeredChars = 0;
  const send = (message: Json): string => {
    const text = `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`;
    say(text);
    return text;
  };
  const reply = (id: string | number, method: string, params: Json): void => {
    // Answers that the other side does not read fill our memory: one that only asks gets no more.
    if (answeredChars > agentsLimits.agentAnswersCharsMax || String(id).length > agentsLimits.agentRequestIdCharsMax)
      return;
    const result = answer(method, params);
    const notFound = { code: -32601, message: "Method not found" };
    answeredChars += send(result === undefined ? { id, error: notFound } : { id, result }).length;
  };
  return {
    request: (method, params, done) => {
      lastId += 1;
      waiting.set(lastId, done);
      send({ id: lastId, method, params });
    },
    notify: (method, params) => void send({ method, params }),
    hear: (line) => {
      const message = parseRecord(line);
      if (message === undefined) return;
      const { id, method } = message;
      const params = isRecord(message["params"]) ? message["params"] : {};
      if (typeof method === "string") {
        if (typeof id === "string" || typeof id === "number") reply(id, method, params);
        else notified(method, params);
        return;
      }
      const done = typeof id === "number" ? waiting.get(id) : undefined;
      if (done === undefined || typeof id !== "number") return;
      waiting.delete(id);
      done(toAnswer(message));
    },
  };
}

function toAnswer({ result, error }: Json): Answer {
  if (!isRecord(error)) return { ok: true, value: isRecord(result) ? result : {} };
  const { code, message, data } = error;
  return {
    ok: false,
    error: { code: typeof code === "number" ? code : 0, message: typeof message === "string" ? message : "", data },
  };
}
