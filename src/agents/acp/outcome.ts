import type { Outcome } from "../driver-kit/agent.ts";
import { firstLine, shown, toRecord } from "../driver-kit/json.ts";
import type { RpcError } from "./json-rpc.ts";

/** What the answer to a prompt means. */
export function stopOutcome(reason: unknown): Outcome {
  switch (reason) {
    case "end_turn":
      return { kind: "ok" };
    case "refusal":
      return { kind: "refused", detail: "the agent refused to go on" };
    case "max_tokens":
      return { kind: "context", detail: "the agent reached its limit of tokens" };
    case "max_turn_requests":
      return { kind: "context", detail: "the agent reached its limit of requests in one turn" };
    case "cancelled":
      // Were it our doing, nobody would ask: what Stint stops is interrupted.
      return { kind: "crashed", detail: "the agent cancelled its own turn" };
    default:
      return { kind: "crashed", detail: `the agent stopped for an unknown reason: ${shown(reason)}` };
  }
}

/** What an error in place of an answer means; its code and its fields decide, its message is only quoted. */
export function errorOutcome({ code, message, data }: RpcError, method: string): Outcome {
  const detail = `${method}: error ${code}${message === "" ? "" : `: ${firstLine(message)}`}`;
  const kind = code === authRequired ? "auth" : (kindOf(code, data) ?? "crashed");
  // No agent is known to say in a field when a limit ends.
  return kind === "limit" ? { kind, until: null } : { kind, detail };
}

/** Reserved by ACP. */
const authRequired = -32_000;

type ErrorKind = "auth" | "limit" | "overloaded" | "context";

function kindOf(code: number, data: unknown): ErrorKind | undefined {
  const { errorKind, status, statusCode } = toRecord(data);
  return [code, errorKind, status, statusCode].map((sign) => kinds.get(sign)).find((kind) => kind !== undefined);
}

/** Statuses of HTTP, and the names that adapters give their errors; not 500, which Gemini also says of an unknown model. */
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
