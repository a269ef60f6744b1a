import { firstLine, type Json, toCount, toRecord, toRecords, toText } from "../driver-kit/json.ts";
import {
  anyDetail,
  type Call,
  type EventReader,
  firstText,
  readDetail,
  type TranscriptEntry,
} from "../driver-kit/transcript.ts";
import { totalOf } from "./usage.ts";

/** Reads what Claude Code said and did from its output with `--output-format stream-json`. */
export function readClaude(): EventReader {
  return (line) => {
    switch (line["type"]) {
      case "assistant":
        return contentOf(line).flatMap(spoken);
      case "user":
        return contentOf(line).flatMap((part) => returned(part, toRecord(line["tool_use_result"])));
      case "system":
        return notices(line);
      case "result":
        return ending(line);
      default:
        return [];
    }
  };
}

function contentOf(line: Json): readonly Json[] {
  return toRecords(toRecord(line["message"])["content"]);
}

function spoken(part: Json): TranscriptEntry[] {
  switch (part["type"]) {
    case "text":
      return [{ type: "says", text: toText(part["text"]) }];
    case "thinking":
      return [{ type: "thinks", text: toText(part["thinking"]) }];
    case "tool_use":
      return [{ type: "calls", id: toText(part["id"]), ...callOf(toText(part["name"]), toRecord(part["input"])) }];
    default:
      return [];
  }
}

function callOf(name: string, input: Json): Omit<Call, "type" | "id"> {
  const verb = verbs.get(name) ?? null;
  const detail = firstText(input, ["command", "file_path", "notebook_path", "pattern", "url", "query", "description"]);
  return { name, verb, detail: verb === "read" ? readDetail(detail, input) : detail || anyDetail(input) };
}

const verbs: ReadonlyMap<string, Call["verb"]> = new Map([
  ["Bash", "$"],
  ["Read", "read"],
  ["Edit", "edit"],
  ["MultiEdit", "edit"],
  ["NotebookEdit", "edit"],
  ["Write", "write"],
  ["Grep", "search"],
  ["Glob", "search"],
  ["WebSearch", "search"],
  ["WebFetch", "fetch"],
]);

/** Reads a result; of a change that was made there is a patch, which says more than the result. */
function returned(part: Json, answer: Json): TranscriptEntry[] {
  if (part["type"] !== "tool_result") return [];
  const path = toText(answer["filePath"]);
  if (path !== "" && Array.isArray(answer["structuredPatch"])) {
    const isNew = answer["type"] === "create";
    return [{ type: "diff", path, change: isNew ? "add" : "modify", lines: () => (isNew ? added : patched)(answer) }];
  }
  const failed = part["is_error"] === true;
  const text = textOf(part["content"]);
  // A failed command has its exit code only in this line, which the program itself writes above the output.
  const exit = failed ? /^Exit code (\d{1,3})(?:\n|$)/.exec(text) : null;
  const exitCode = exit === null ? undefined : Number(exit[1]);
  return [{ type: "result", id: toText(part["tool_use_id"]), text: text.slice(exit?.[0].length), failed, exitCode }];
}

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  return toRecords(content)
    .map((part) => (part["type"] === "text" ? toText(part["text"]) : `(${toText(part["type"])})`))
    .join("\n");
}

function added({ content }: Json): string[] {
  const lines = toText(content).split("\n");
  return (lines.at(-1) === "" ? lines.slice(0, -1) : lines).map((line) => `+${line}`);
}

function patched({ structuredPatch }: Json): string[] {
  return toRecords(structuredPatch).flatMap((hunk) => {
    const [oldStart, oldLines, newStart, newLines] = ["oldStart", "oldLines", "newStart", "newLines"].map(
      (key) => toCount(hunk[key]) ?? 0,
    );
    const lines = Array.isArray(hunk["lines"]) ? hunk["lines"].map(toText) : [];
    return [`@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`, ...lines];
  });
}

function notices(line: Json): TranscriptEntry[] {
  switch (line["subtype"]) {
    case "api_retry":
      return [
        {
          type: "notice",
          tone: "retry",
          delayMs: toCount(line["retry_delay_ms"]) ?? null,
          text: toText(line["error"]),
        },
      ];
    case "permission_denied":
      return [{ type: "notice", tone: "note", text: `not permitted: ${toText(line["tool_name"])}` }];
    default:
      return [];
  }
}

function ending(result: Json): TranscriptEntry[] {
  const usage = totalOf(result);
  const why = firstLine(toText(result["result"])) || toText(result["subtype"]);
  return [
    ...(result["is_error"] === true ? [{ type: "notice", tone: "error", text: why } as const] : []),
    ...(usage === null ? [] : [{ type: "usage", usage } as const]),
  ];
}
