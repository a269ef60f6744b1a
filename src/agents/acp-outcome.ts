import type { Outcome } from "./agent.ts";
import { firstLine, type Json, toRecord } from "./json.ts";
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
      return { kind: "crashed", detail: `the agent stopped for an unknown reason: ${firstLine(String(reason))}` };
  }
}

/** What an error in place of an answer means; its code and its fields decide, its message is only quoted. */
export function errorOutcome({ code, message, data }: RpcError, method: string): Outcome {
  const detail = `${method}: error ${code}${message === "" ? "" : `: ${firstLine(message)}`}`;
  const kind = code === authRequired ? "auth" : (kindOf(code, data) ?? "crashed");
  return kind === "limit" ? { kind, until: resetOf(data) } : { kind, detail };
}

/** Reserved by ACP. */
const authRequired = -32_000;

type ErrorKind = "auth" | "limit" | "overloaded" | "context";

function kindOf(code: number, data: unknown): ErrorKind | undefined {
  const fields = [toRecord(data), toRecord(toRecord(data)["error"]), toRecord(toRecord(data)["data"])];
  const statuses = [code, ...fields.flatMap((each) => [each["status"], each["statusCode"], each["code"]])];
  const names = fields.flatMap((each) => [each["errorKind"], each["type"]]);
  return [...statuses, ...names].map((sign) => kinds.get(sign)).find((kind) => kind !== undefined);
}

/** Statuses of HTTP, and the names that adapters give their errors. */
const kinds: ReadonlyMap<unknown, ErrorKind> = new Map<unknown, ErrorKind>([
  [401, "auth"],
  [403, "auth"],
  ["authentication_failed", "auth"],
  ["authentication_error", "auth"],
  [429, "limit"],
  ["rate_limit", "limit"],
  ["rate_limit_error", "limit"],
  [500, "overloaded"],
  [502, "overloaded"],
  [503, "overloaded"],
  [504, "overloaded"],
  [529, "overloaded"],
  ["overloaded", "overloaded"],
  ["overloaded_error", "overloaded"],
  [413, "context"],
]);

/** Google's services say after how long; the clock is ours, because the error has none. */
function resetOf(data: unknown): string | null {
  const error: Json = toRecord(toRecord(data)["error"] ?? data);
  const details = Array.isArray(error["details"]) ? error["details"] : [];
  const delay = details.map((each) => toRecord(each)["retryDelay"]).find((each) => typeof each === "string");
  const seconds = /^(\d{1,9}(?:\.\d{1,9})?)s$/.exec(delay ?? "")?.[1];
  return seconds === undefined ? null : new Date(Date.now() + Number(seconds) * 1000).toISOString();
}
