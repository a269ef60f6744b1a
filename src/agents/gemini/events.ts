import { agentsLimits } from "../limits.ts";
import type { AgentEvent, Outcome, Usage } from "../driver-kit/agent.ts";
import type { Ear } from "../driver-kit/dialect.ts";
import { firstLine, type Json, toCount, toRecord, toText } from "../driver-kit/json.ts";
import type { OwnEnd } from "../driver-kit/session.ts";

/** Interprets the output of Gemini CLI with `-o stream-json`. */
export function listenToGemini(): Ear {
  let sessionId: string | null = null;
  let asked = "";
  let complaint = "";
  let result: Json | undefined;
  const edits = new Map<string, string>();
  const toolUse = (line: Json): AgentEvent[] => {
    const { tool_name: name, tool_id: id } = line;
    const parameters = toRecord(line["parameters"]);
    if (typeof name !== "string") return [];
    const path = parameters["file_path"];
    if (edits.size >= agentsLimits.agentCallsOpenMax) edits.clear();
    if (editTools.has(name) && typeof id === "string" && typeof path === "string") edits.set(id, path);
    return [{ type: "tool", name, detail: toText(parameters["command"]) || toText(path) }];
  };
  const toolResult = (line: Json): AgentEvent[] => {
    const path = edits.get(toText(line["tool_id"]));
    edits.delete(toText(line["tool_id"]));
    return path === undefined || line["status"] !== "success" ? [] : [{ type: "file", path, change: "modify" }];
  };
  return {
    hear: (line) => {
      switch (line["type"]) {
        case "init":
          sessionId = toText(line["session_id"]) || null;
          asked = toText(line["model"]);
          return [];
        case "message":
          return line["role"] === "assistant" ? [{ type: "text", text: toText(line["content"]) }] : [];
        case "tool_use":
          return toolUse(line);
        case "tool_result":
          return toolResult(line);
        case "error":
          complaint = toText(line["message"]);
          return [{ type: "notice", text: complaint }];
        case "result":
          result = line;
          return [...usageEvents(line), ...modelNotices(asked, modelsOf(line))];
        default:
          return [];
      }
    },
    isFinal: () => result !== undefined,
    conclude: (end) => concludeGemini(end, { result, complaint, asked }),
    usage: () => (result === undefined ? null : usageOf(result)),
    sessionId: () => sessionId,
  };
}

const editTools: ReadonlySet<string> = new Set(["write_file", "replace"]);

/** Reads the usage; tokens of thought are only in the total, and are paid like output. */
function usageOf(result: Json): Usage | null {
  const stats = toRecord(result["stats"]);
  const [total, input, output] = ["total_tokens", "input_tokens", "output_tokens"].map((key) => toCount(stats[key]));
  if (input === undefined || output === undefined) return null;
  return { inputTokens: input, outputTokens: Math.max(output, (total ?? 0) - input), usd: 0 };
}

function usageEvents(result: Json): AgentEvent[] {
  const usage = usageOf(result);
  return usage === null ? [] : [{ type: "usage", usage }];
}

interface Models {
  readonly tried: readonly string[];
  readonly answered: readonly string[];
}

function modelsOf(result: Json): Models {
  const models = Object.entries(toRecord(toRecord(result["stats"])["models"]));
  const answered = models.filter(([, tokens]) => (toCount(toRecord(tokens)["total_tokens"]) ?? 0) > 0);
  return { tried: models.map(([name]) => name), answered: answered.map(([name]) => name) };
}

function modelNotices(asked: string, { answered }: Models): AgentEvent[] {
  if (answered.length === 0 || answered.join() === asked) return [];
  return [{ type: "notice", text: `asked for the model ${asked}, answered by ${answered.join(", ")}` }];
}

/** Whether another model answered: for some it falls back to others by itself, and calls that a success. */
function fellBack(asked: string, { tried, answered }: Models): boolean {
  return tried.includes(asked) && !answered.includes(asked) && answered.length > 0;
}

interface Heard {
  readonly result: Json | undefined;
  readonly complaint: string;
  readonly asked: string;
}

function concludeGemini(end: OwnEnd, { result, complaint, asked }: Heard): Outcome {
  const error = toRecord(result?.["error"]);
  const message = toText(error["message"]) || complaint;
  if (end.kind === "signalled") return { kind: "crashed", detail: `killed by ${end.signal}` };
  const code = end.kind === "exited" ? end.code : 0;
  if (code === 0 && result?.["status"] === "success") {
    const models = modelsOf(result);
    if (!fellBack(asked, models)) return { kind: "ok" };
    return { kind: "crashed", detail: `the model ${asked} did not answer, but ${models.answered.join(", ")} did` };
  }
  const detail = `${how(end, result)}${message === "" ? "" : `: ${firstLine(message)}`}`;
  if (code === 0) return { kind: blockedAnswers.get(message) ?? "crashed", detail };
  const kind = kinds.get(code) ?? "crashed";
  return kind === "limit" ? { kind, until: resetOf(message, result?.["timestamp"]) } : { kind, detail };
}

function how(end: OwnEnd, result: Json | undefined): string {
  if (result === undefined) return end.kind === "exited" ? `exit ${end.code} without a result` : "no result";
  return end.kind === "exited" ? `exit ${end.code}` : "no exit after its result";
}

/** Outcomes by exit code: the lowest eight bits of the failed request's status, or 41 for "not logged in". */
const kinds: ReadonlyMap<number, "auth" | "limit" | "overloaded" | "context"> = new Map([
  [41, "auth"],
  ...statuses("auth", [401, 403]),
  ...statuses("limit", [429]),
  ...statuses("overloaded", [500, 502, 503, 504, 529]),
  ...statuses("context", [413]),
]);

function statuses<Kind extends string>(kind: Kind, list: readonly number[]): [number, Kind][] {
  return list.map((status) => [status % 256, kind]);
}

/** The program's own messages for answers that were cut off; they come with status "error" and exit 0. */
const blockedAnswers: ReadonlyMap<string, "refused" | "context"> = new Map([
  ["The model response was blocked due to safety settings.", "refused"],
  ["The model response was blocked due to recitation/copyright filters.", "refused"],
  ["The model response was blocked due to other policy settings.", "refused"],
  [
    "Model response was truncated because it exceeded the token limit. Try using /compress to free up context space.",
    "context",
  ],
]);

/** Reads the service's `retryDelay`, which the program adds to the message of an error 429. */
function resetOf(message: string, timestamp: unknown): string | null {
  const delay = /^Suggested retry after (\d{1,9}(?:\.\d{1,9})?)s\.\]?$/m.exec(message)?.[1];
  const reset = new Date(Date.parse(toText(timestamp)) + Number(delay) * 1000);
  return Number.isNaN(reset.getTime()) ? null : reset.toISOString();
}
