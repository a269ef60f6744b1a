import type { Usage } from "../driver-kit/agent.ts";
import { type Json, toCount, toRecord, toRecords, toText } from "../driver-kit/json.ts";
import {
  anyDetail,
  type Call,
  type EventReader,
  type FileDiff,
  type TranscriptEntry,
} from "../driver-kit/transcript.ts";

/** Reads what Codex said and did from its output with `exec --json`. */
export function readCodex(): EventReader {
  return (line) => {
    switch (line["type"]) {
      case "item.started":
        return beginning(toRecord(line["item"]));
      case "item.completed":
        return completion(toRecord(line["item"]));
      case "error":
        return [complaint(toText(line["message"]))];
      case "turn.completed": {
        const usage = usageIn(toRecord(line["usage"]));
        return usage === null ? [] : [{ type: "usage", usage }];
      }
      case "turn.failed":
        return [{ type: "notice", tone: "error", text: toText(toRecord(line["error"])["message"]) }];
      default:
        return [];
    }
  };
}

function beginning(item: Json): TranscriptEntry[] {
  const id = toText(item["id"]);
  const call = (verb: Call["verb"], name: string, detail: string): Call[] => [
    { type: "calls", id, verb, name, detail },
  ];
  switch (item["type"]) {
    case "command_execution":
      return call("$", "shell", unwrapped(toText(item["command"])));
    case "mcp_tool_call":
      return call(null, `${toText(item["server"])}.${toText(item["tool"])}`, anyDetail(toRecord(item["arguments"])));
    case "web_search":
      return call("search", "web_search", toText(item["query"]));
    default:
      return [];
  }
}

/** Takes a command out of the shell that Codex wraps around it. */
function unwrapped(command: string): string {
  const inner = /^\S*\/?(?:ba|z|da)?sh -l?c (?:'([^']*)'|"((?:[^"\\]|\\.)*)")$/s.exec(command);
  if (inner === null) return command;
  return inner[1] ?? (inner[2] ?? "").replace(/\\([$`"\\])/g, "$1");
}

function completion(item: Json): TranscriptEntry[] {
  const id = toText(item["id"]);
  switch (item["type"]) {
    case "agent_message":
      return [{ type: "says", text: toText(item["text"]) }];
    case "reasoning":
      return [{ type: "thinks", text: toText(item["text"]) }];
    case "command_execution": {
      const exitCode = toCount(item["exit_code"]);
      return [
        { type: "result", id, text: toText(item["aggregated_output"]), failed: item["status"] === "failed", exitCode },
      ];
    }
    case "mcp_tool_call": {
      const texts = toRecords(toRecord(item["result"])["content"]).map(({ text }) => toText(text));
      const error = toText(toRecord(item["error"])["message"]);
      return [{ type: "result", id, text: [...texts, error].join("\n"), failed: item["status"] === "failed" }];
    }
    case "file_change":
      if (item["status"] === "completed") return toRecords(item["changes"]).flatMap(fileChange);
      return [{ type: "notice", tone: "error", text: "a change of files was not made" }];
    case "error":
      return [{ type: "notice", tone: "note", text: toText(item["message"]) }];
    default:
      return [];
  }
}

/** Codex reports which files it changed, but not how. */
function fileChange(item: Json): FileDiff[] {
  const path = toText(item["path"]);
  const change = changes.get(toText(item["kind"]));
  return path === "" || change === undefined ? [] : [{ type: "diff", path, change, lines: () => [] }];
}

const changes: ReadonlyMap<string, "add" | "modify" | "delete"> = new Map([
  ["add", "add"],
  ["update", "modify"],
  ["delete", "delete"],
]);

/** Reads an error; the turn continues, and only `turn.failed` is a failure. */
function complaint(text: string): TranscriptEntry {
  return text.startsWith("Reconnecting...")
    ? { type: "notice", tone: "retry", delayMs: null, text }
    : { type: "notice", tone: "note", text };
}

/** Reads the usage: cached input is part of the input, and thought part of the output. */
function usageIn(reported: Json): Usage | null {
  const [inputTokens, outputTokens] = [toCount(reported["input_tokens"]), toCount(reported["output_tokens"])];
  return inputTokens === undefined || outputTokens === undefined ? null : { inputTokens, outputTokens, usd: 0 };
}
