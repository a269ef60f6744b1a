import { agentsLimits } from "../limits.ts";
import type { Usage } from "../driver-kit/agent.ts";
import { firstLine, type Json, toCount, toRecord, toText } from "../driver-kit/json.ts";
import {
  anyDetail,
  type Call,
  type EventReader,
  type FileDiff,
  firstText,
  pieceDiff,
  readDetail,
  type TranscriptEntry,
} from "../driver-kit/transcript.ts";

/** Reads what Gemini CLI said and did from its output with `-o stream-json`. */
export function readGemini(): EventReader {
  let asked = "";
  const edits = new Map<string, FileDiff>();
  const called = (line: Json): TranscriptEntry[] => {
    const { tool_name: name, tool_id: id } = line;
    if (typeof name !== "string") return [];
    const input = toRecord(line["parameters"]);
    const call = callOf(name, input);
    if (edits.size >= agentsLimits.agentCallsOpenMax) edits.clear();
    if ((call.verb === "edit" || call.verb === "write") && typeof id === "string" && call.detail !== "")
      edits.set(id, { type: "diff", path: call.detail, change: "modify", lines: () => changeIn(input) });
    return [{ type: "calls", id: toText(id), ...call }];
  };
  const returned = (line: Json): TranscriptEntry[] => {
    const id = toText(line["tool_id"]);
    const edit = edits.get(id);
    edits.delete(id);
    const failed = line["status"] !== "success";
    if (edit !== undefined && !failed) return [edit];
    return [{ type: "result", id, text: toText(line["output"]) || toText(toRecord(line["error"])["message"]), failed }];
  };
  return (line) => {
    switch (line["type"]) {
      case "init":
        asked = toText(line["model"]);
        return [];
      case "message":
        if (line["role"] !== "assistant") return [];
        return [{ type: "says", text: toText(line["content"]), ...(line["delta"] === true && { isPiece: true }) }];
      case "tool_use":
        return called(line);
      case "tool_result":
        return returned(line);
      case "error":
        return [{ type: "notice", tone: "note", text: toText(line["message"]) }];
      case "result":
        return ending(line, asked);
      default:
        return [];
    }
  };
}

function callOf(name: string, input: Json): Omit<Call, "type" | "id"> {
  const verb = verbs.get(name) ?? null;
  const detail = firstText(input, ["command", "file_path", "pattern", "query", "url", "prompt", "dir_path"]);
  return { name, verb, detail: verb === "read" ? readDetail(detail, input) : detail || anyDetail(input) };
}

const verbs: ReadonlyMap<string, Call["verb"]> = new Map([
  ["run_shell_command", "$"],
  ["read_file", "read"],
  ["replace", "edit"],
  ["write_file", "write"],
  ["grep_search", "search"],
  ["search_file_content", "search"],
  ["glob", "search"],
  ["google_web_search", "search"],
  ["web_fetch", "fetch"],
]);

/** The result does not say what changed, but the call did. */
function changeIn(input: Json): readonly string[] {
  return pieceDiff(toText(input["old_string"]), toText(input["new_string"]) || toText(input["content"]));
}

function ending(result: Json, asked: string): TranscriptEntry[] {
  const usage = usageOf(result);
  const { answered } = modelsOf(result);
  const isOther = answered.length > 0 && answered.join() !== asked;
  const error = firstLine(toText(toRecord(result["error"])["message"]));
  const other = `asked for the model ${asked}, answered by ${answered.join(", ")}`;
  return [
    ...(usage === null ? [] : [{ type: "usage", usage } as const]),
    ...(isOther ? [{ type: "notice", tone: "note", text: other } as const] : []),
    ...(error === "" ? [] : [{ type: "notice", tone: "error", text: error } as const]),
  ];
}

/** Reads the usage; tokens of thought are only in the total, and are paid like output. */
export function usageOf(result: Json): Usage | null {
  const stats = toRecord(result["stats"]);
  const [total, input, output] = ["total_tokens", "input_tokens", "output_tokens"].map((key) => toCount(stats[key]));
  if (input === undefined || output === undefined) return null;
  return { inputTokens: input, outputTokens: Math.max(output, (total ?? 0) - input), usd: 0 };
}

/** The models that were asked in a session, and those of them that answered. */
export interface Models {
  readonly tried: readonly string[];
  readonly answered: readonly string[];
}

export function modelsOf(result: Json): Models {
  const models = Object.entries(toRecord(toRecord(result["stats"])["models"]));
  const answered = models.filter(([, tokens]) => (toCount(toRecord(tokens)["total_tokens"]) ?? 0) > 0);
  return { tried: models.map(([name]) => name), answered: answered.map(([name]) => name) };
}
