import type { Usage } from "../driver-kit/agent.ts";
import type { Json } from "../driver-kit/json.ts";
import type { EventReader, TranscriptEntry } from "../driver-kit/transcript.ts";

/** Reads what the scripted agent said and did. What its commands print is in the log as it is, among its events. */
export function readScripted(): EventReader {
  return (line): TranscriptEntry[] => {
    switch (line["type"]) {
      case "text":
        return [{ type: "says", text: textOf(line, "text") }];
      case "notice":
        return [{ type: "notice", tone: "note", text: textOf(line, "text") }];
      case "tool": {
        const name = textOf(line, "name");
        const verb = name === "shell" ? "$" : null;
        return [{ type: "calls", id: "", name, verb, detail: textOf(line, "detail") }];
      }
      case "file":
        return [{ type: "diff", path: textOf(line, "path"), change: changeOf(line), lines: () => [] }];
      case "usage":
        return [{ type: "usage", usage: usageOf(line) }];
      case "retry": {
        const delay = line["delay_ms"];
        const delayMs = typeof delay === "number" ? delay : null;
        return [{ type: "notice", tone: "retry", delayMs, text: textOf(line, "why") }];
      }
      case "end":
        return line["kind"] === "ok" ? [] : [{ type: "notice", tone: "error", text: endOf(line) }];
      default:
        return [];
    }
  };
}

function endOf(line: Json): string {
  return [textOf(line, "kind"), textOf(line, "detail")].filter(Boolean).join(": ");
}

function changeOf({ change }: Json): "add" | "modify" | "delete" {
  return change === "add" || change === "delete" ? change : "modify";
}

export function usageOf(line: Json): Usage {
  return {
    inputTokens: amountOf(line, "input_tokens"),
    outputTokens: amountOf(line, "output_tokens"),
    usd: amountOf(line, "usd"),
  };
}

function amountOf(line: Json, key: string): number {
  const value = line[key];
  return typeof value === "number" && value >= 0 && value <= Number.MAX_SAFE_INTEGER ? value : 0;
}

export function textOf(line: Json, key: string): string {
  const value = line[key];
  return typeof value === "string" ? value : "";
}
