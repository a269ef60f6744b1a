import { agentsLimits } from "../limits.ts";
import type { AgentEvent, Outcome, Usage } from "../driver-kit/agent.ts";
import type { Ear } from "../driver-kit/dialect.ts";
import { firstLine, isRecord, type Json, toCount, toRecord, toRecords, toText } from "../driver-kit/json.ts";
import type { OwnEnd } from "../driver-kit/session.ts";

/** Interprets the output of Claude Code with `--output-format stream-json`. */
export function listenToClaude(): Ear {
  let sessionId: string | null = null;
  let result: Json | undefined;
  let failure = noFailure;
  const meter = meterMessages();
  return {
    hear: (line) => {
      sessionId ??= toText(line["session_id"]) || null;
      switch (line["type"]) {
        case "assistant":
          failure = failureIn(line, failure);
          return [...partsOf(line), ...usageEvents(meter.add(toRecord(line["message"])))];
        case "user":
          return fileChange(toRecord(line["tool_use_result"]));
        case "system":
          return notices(line);
        case "rate_limit_event":
          failure = { ...failure, resetsAt: resetIn(toRecord(line["rate_limit_info"])) ?? failure.resetsAt };
          return [];
        case "result":
          result = line;
          return usageEvents(totalOf(line));
        default:
          return [];
      }
    },
    isFinal: () => result !== undefined,
    conclude: (end) => conclude(end, result, failure),
    usage: () => (result === undefined ? null : totalOf(result)) ?? meter.total(),
    sessionId: () => sessionId,
  };
}

/** What the program reported about a request that the service refused, besides its final event. */
interface Failure {
  readonly error: string;
  /** The reset of a limit, in milliseconds since 1970. */
  readonly resetsAt: number | undefined;
}

const noFailure: Failure = { error: "", resetsAt: undefined };

/** Reads a failure from a message that the program marks as its own; the model cannot set this mark. */
function failureIn(line: Json, { resetsAt }: Failure): Failure {
  if (line["is_api_error_message"] !== true) return { error: "", resetsAt };
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

function partsOf(line: Json): AgentEvent[] {
  const parts = toRecords(toRecord(line["message"])["content"]);
  return parts.flatMap((part): AgentEvent[] => {
    if (part["type"] === "text") return [{ type: "text", text: toText(part["text"]) }];
    if (part["type"] !== "tool_use") return [];
    return [{ type: "tool", name: toText(part["name"]), detail: detailOf(toRecord(part["input"])) }];
  });
}

function detailOf(input: Json): string {
  const fields = ["command", "file_path", "pattern", "url", "description"].map((key) => toText(input[key]));
  return (fields.find((text) => text !== "") ?? "").slice(0, agentsLimits.agentToolDetailCharsMax);
}

/** Reports a file change; only a change that was made has a patch. */
function fileChange(answer: Json): AgentEvent[] {
  const path = toText(answer["filePath"]);
  if (path === "" || !Array.isArray(answer["structuredPatch"])) return [];
  return [{ type: "file", path, change: answer["type"] === "create" ? "add" : "modify" }];
}

function notices(line: Json): AgentEvent[] {
  switch (line["subtype"]) {
    case "api_retry":
      return [{ type: "retry", delayMs: toCount(line["retry_delay_ms"]) ?? null, why: toText(line["error"]) }];
    case "permission_denied":
      return [{ type: "notice", text: `not permitted: ${toText(line["tool_name"])}` }];
    default:
      return [];
  }
}

/**
 * Adds up the usage of messages. Each comes in several lines with the same usage, reported when its output had only begun:
 * the final event has the full output.
 */
function meterMessages() {
  const open = new Set<string>();
  let total: Usage | null = null;
  return {
    total: () => total,
    add: (message: Json): Usage | null => {
      const id = toText(message["id"]);
      const { usage } = message;
      if (id === "" || open.has(id) || !isRecord(usage)) return null;
      if (open.size >= agentsLimits.agentMessagesOpenMax) open.clear();
      open.add(id);
      total = sum(total ?? nothing, {
        inputTokens: inputKeys.message.reduce((tokens, key) => tokens + (toCount(usage[key]) ?? 0), 0),
        outputTokens: toCount(usage["output_tokens"]) ?? 0,
        usd: 0,
      });
      return total;
    },
  };
}

const nothing: Usage = { inputTokens: 0, outputTokens: 0, usd: 0 };

const inputKeys = {
  message: ["input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens"],
  model: ["inputTokens", "cacheCreationInputTokens", "cacheReadInputTokens"],
};

function sum(a: Usage, b: Usage): Usage {
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    usd: a.usd + b.usd,
  };
}

/** Adds up the usage per model, because the other figures leave out its helpers. */
function totalOf(result: Json): Usage | null {
  if (!isRecord(result["modelUsage"])) return null;
  const models = Object.values(result["modelUsage"]).map(toRecord);
  const tokens = models.map((model) => ({
    inputTokens: inputKeys.model.reduce((sofar, key) => sofar + (toCount(model[key]) ?? 0), 0),
    outputTokens: toCount(model["outputTokens"]) ?? 0,
    usd: 0,
  }));
  const { total_cost_usd: usd } = result;
  const paid = typeof usd === "number" && Number.isFinite(usd) && usd >= 0 ? usd : 0;
  return { ...tokens.reduce(sum, nothing), usd: paid };
}

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
