import { agentsLimits } from "../limits.ts";
import type { AgentEvent, Outcome, Usage } from "../driver-kit/agent.ts";
import { concludeFailure } from "./failure.ts";
import type { Ear } from "../driver-kit/dialect.ts";
import { type Json, toCount, toRecord, toRecords, toText } from "../driver-kit/json.ts";
import type { OwnEnd } from "../driver-kit/session.ts";

/** Interprets the output of Codex with `exec --json`; `now` is only used to read times of day. */
export function listenToCodex(now: () => Date): Ear {
  let threadId: string | null = null;
  let modelUnknown = false;
  let usage: Usage | null = null;
  let end: { readonly failure: string | null } | undefined;
  return {
    hear: (line) => {
      switch (line["type"]) {
        case "thread.started":
          threadId = toText(line["thread_id"]) || null;
          return [];
        case "item.started":
          return beginning(toRecord(line["item"]));
        case "item.completed":
          modelUnknown ||= isModelUnknown(toRecord(line["item"]));
          return completion(toRecord(line["item"]));
        case "error":
          return complaint(toText(line["message"]));
        case "turn.completed":
          end = { failure: null };
          usage = usageIn(toRecord(line["usage"])) ?? usage;
          return usage === null ? [] : [{ type: "usage", usage }];
        case "turn.failed":
          end = { failure: toText(toRecord(line["error"])["message"]) };
          return [];
        default:
          return [];
      }
    },
    isFinal: () => end !== undefined,
    conclude: (ownEnd) => conclude(ownEnd, end, (message) => concludeFailure(message, { now: now(), modelUnknown })),
    usage: () => usage,
    sessionId: () => threadId,
  };
}

function beginning(item: Json): AgentEvent[] {
  switch (item["type"]) {
    case "command_execution":
      return [tool("shell", toText(item["command"]))];
    case "mcp_tool_call":
      return [tool(`${toText(item["server"])}.${toText(item["tool"])}`, "")];
    case "web_search":
      return [tool("web_search", toText(item["query"]))];
    default:
      return [];
  }
}

function tool(name: string, detail: string): AgentEvent {
  return { type: "tool", name, detail: detail.slice(0, agentsLimits.agentToolDetailCharsMax) };
}

function completion(item: Json): AgentEvent[] {
  switch (item["type"]) {
    case "agent_message":
      return [{ type: "text", text: toText(item["text"]) }];
    case "file_change":
      return item["status"] === "completed" ? toRecords(item["changes"]).flatMap(fileChange) : [];
    case "error":
      return [{ type: "notice", text: toText(item["message"]) }];
    default:
      return [];
  }
}

function fileChange(item: Json): AgentEvent[] {
  const path = toText(item["path"]);
  const change = changes.get(toText(item["kind"]));
  return path === "" || change === undefined ? [] : [{ type: "file", path, change }];
}

const changes: ReadonlyMap<string, "add" | "modify" | "delete"> = new Map([
  ["add", "add"],
  ["update", "modify"],
  ["delete", "delete"],
]);

/** Whether the program warns that it does not know the model; it asks the service all the same. */
function isModelUnknown(item: Json): boolean {
  return item["type"] === "error" && toText(item["message"]).startsWith("Model metadata for ");
}

/** Turns an error into an event; the turn continues, and only `turn.failed` is a failure. */
function complaint(message: string): AgentEvent[] {
  if (message.startsWith("Reconnecting...")) return [{ type: "retry", delayMs: null, why: message }];
  return [{ type: "notice", text: message }];
}

/** Reads the usage: cached input is part of the input, and thought part of the output. */
function usageIn(reported: Json): Usage | null {
  const [inputTokens, outputTokens] = [toCount(reported["input_tokens"]), toCount(reported["output_tokens"])];
  return inputTokens === undefined || outputTokens === undefined ? null : { inputTokens, outputTokens, usd: 0 };
}

function conclude(
  ownEnd: OwnEnd,
  end: { readonly failure: string | null } | undefined,
  failed: (message: string) => Outcome,
): Outcome {
  if (ownEnd.kind === "signalled") return { kind: "crashed", detail: `killed by ${ownEnd.signal}` };
  const exit = ownEnd.kind === "exited" ? `exit ${ownEnd.code}` : "no exit";
  if (end === undefined) return { kind: "crashed", detail: `${exit} without a final event` };
  if (end.failure !== null) return failed(end.failure);
  return ownEnd.kind === "exited" && ownEnd.code !== 0 ? { kind: "crashed", detail: exit } : { kind: "ok" };
}
