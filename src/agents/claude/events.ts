import type { AgentEvent, Outcome, Usage } from "../driver-kit/agent.ts";
import type { Ear } from "../driver-kit/dialect.ts";
import { firstLine, type Json, toCount, toRecord, toText } from "../driver-kit/json.ts";
import type { OwnEnd } from "../driver-kit/session.ts";
import { eventsOf } from "../driver-kit/transcript.ts";
import { readClaude } from "./transcript.ts";
import { meterMessages, totalOf } from "./usage.ts";

/** Interprets the output of Claude Code with `--output-format stream-json`. */
export function listenToClaude(): Ear {
  let sessionId: string | null = null;
  let version: string | null = null;
  let result: Json | undefined;
  let failure = noFailure;
  const meter = meterMessages();
  const read = readClaude();
  return {
    hear: (line) => {
      sessionId ??= toText(line["session_id"]) || null;
      switch (line["type"]) {
        case "assistant":
          failure = failureIn(line, failure);
          return [...eventsOf(read(line)), ...usageEvents(meter.add(toRecord(line["message"])))];
        case "system":
          version ??= toText(line["claude_code_version"]) || null;
          return eventsOf(read(line));
        case "rate_limit_event":
          failure = { ...failure, resetsAt: resetIn(toRecord(line["rate_limit_info"])) ?? failure.resetsAt };
          return [];
        case "result":
          result = line;
          return eventsOf(read(line));
        default:
          return eventsOf(read(line));
      }
    },
    isFinal: () => result !== undefined,
    conclude: (end) => conclude(end, result, failure),
    usage: () => (result === undefined ? null : totalOf(result)) ?? meter.total(),
    sessionId: () => sessionId,
    version: () => version,
  };
}

/** What the program reported about a request that the service refused, besides its final event. */
interface Failure {
  readonly error: string;
  /** The reset of a limit, in milliseconds since 1970. */
  readonly resetsAt: number | undefined;
}

const noFailure: Failure = { error: "", resetsAt: undefined };

/** Reads a failure from a message that the program marks as its own; the model cannot set it. In 2.1.197 the only mark is a model that does not exist. */
function failureIn(line: Json, { resetsAt }: Failure): Failure {
  const isOwn = line["is_api_error_message"] === true || toRecord(line["message"])["model"] === "<synthetic>";
  if (!isOwn) return { error: "", resetsAt };
  const { rate_limit_info: info } = toRecord(line["api_error_params"]);
  return { error: toText(line["error"]), resetsAt: resetIn(toRecord(info)) ?? resetsAt };
}

function resetIn(info: Json): number | undefined {
  const seconds = toCount(info["resetsAt"]);
  return info["status"] === "rejected" && seconds !== undefined && seconds <= farthestSeconds
    ? seconds * 1000
    : undefined;
}

/** The last second with a four-digit year in ISO form. */
const farthestSeconds = 253_402_300_799;

function usageEvents(usage: Usage | null): AgentEvent[] {
  return usage === null ? [] : [{ type: "usage", usage }];
}

function conclude(end: OwnEnd, result: Json | undefined, failure: Failure): Outcome {
  if (end.kind === "signalled") return { kind: "crashed", detail: `killed by ${end.signal}` };
  if (result === undefined) return { kind: "crashed", detail: `${endOf(end)} without a final event` };
  if (result["is_error"] === true) return failed(result, failure);
  if (result["stop_reason"] === "refusal") return { kind: "refused", detail: "the model refused" };
  if (end.kind === "exited" && end.code !== 0) return { kind: "crashed", detail: endOf(end) };
  return { kind: "ok" };
}

function endOf(end: Exclude<OwnEnd, { readonly kind: "signalled" }>): string {
  return end.kind === "exited" ? `exit ${end.code}` : "no exit";
}

/** Decides the outcome of a failure by fields, never by text; failures, too, have the subtype "success". */
function failed(result: Json, { error, resetsAt }: Failure): Outcome {
  const status = toCount(result["api_error_status"]);
  const reason = toText(result["terminal_reason"]) || toText(result["subtype"]);
  const detail = [status, error || reason, firstLine(toText(result["result"]))].filter(Boolean).join(": ");
  if (tooLong.has(reason)) return { kind: "context", detail };
  if (result["stop_reason"] === "refusal") return { kind: "refused", detail };
  if (error === "rate_limit" || status === 429) {
    return { kind: "limit", until: resetsAt === undefined ? null : new Date(resetsAt).toISOString() };
  }
  if (error === "model_not_found") return { kind: "misconfigured", detail };
  if (forAPerson.has(error) || status === 401 || status === 403) return { kind: "auth", detail };
  if (passing.has(error) || (status !== undefined && status >= 500)) return { kind: "overloaded", detail };
  return { kind: "crashed", detail };
}

const tooLong = new Set(["prompt_too_long", "blocking_limit", "rapid_refill_breaker"]);

/** Errors that only a person can fix, with a login or a payment. */
const forAPerson = new Set([
  "authentication_failed",
  "oauth_org_not_allowed",
  "account_on_hold",
  "verification_required",
  "billing_error",
  "cloud_credential_error",
]);

const passing = new Set(["overloaded", "server_error"]);
