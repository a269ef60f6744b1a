import type { Outcome } from "../driver-kit/agent.ts";
import { firstLine, shown, toRecord } from "../driver-kit/json.ts";
import type { RpcError } from "./json-rpc.ts";

/** Decides the outcome by the answer to the prompt. */
export function stopOutcome(reason: unknown): Outcome {
  switch (reason) {
    case "end_turn":
      return { kind: "ok" };
    case "refusal":
      return { kind: "refused", detail: "the agent refused to continue" };
    case "max_tokens":
      return { kind: "context", detail: "the agent reached its limit of tokens" };
    case "max_turn_requests":
      return { kind: "context", detail: "the agent reached its limit of requests in one turn" };
    case "cancelled":
      // A session that Stint stops is interrupted and never gets here.
      return { kind: "crashed", detail: "the agent cancelled its own turn" };
    default:
      return { kind: "crashed", detail: `the agent stopped for an unknown reason: ${shown(reason)}` };
  }
}

/** Decides the outcome by an error in place of an answer: its code and fields decide, its message is only quoted. */
export function errorOutcome({ code, message, data }: RpcError, method: string): Outcome {
  const detail = `${method}: error ${code}${message === "" ? "" : `: ${firstLine(message)}`}`;
  const kind = code === authRequired ? "auth" : (kindOf(code, data) ?? "crashed");
  // No agent is known to say in a field when a limit ends.
  return kind === "limit" ? { kind, until: null } : { kind, detail };
}

/** The code that ACP reserves for a missing login. */
const authRequired = -32_000;

type ErrorKind = "auth" | "limit" | "overloaded" | "context";

function kindOf(code: number, data: unknown): ErrorKind | undefined {
  const { errorKind, status, statusCode } = toRecord(data);
  return [code, errorKind, status, statusCode].map((sign) => kinds.get(sign)).find((kind) => kind !== undefined);
}

/** HTTP statuses, and names that adapters give their errors; not 500, which Gemini also sends for an unknown model. */
const kinds: ReadonlyMap<unknown, ErrorKind> = new Map<unknown, ErrorKind>([
  [401, "auth"],
  [403, "auth"],
  ["authentication_failed", "auth"],
  [429, "limit"],
  ["rate_limit", "limit"],
  [502, "overloaded"],
  [503, "overloaded"],
  [504, "overloaded"],
  [529, "overloaded"],
  ["overloaded", "overloaded"],
  [413, "context"],
]);
