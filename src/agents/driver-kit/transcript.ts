import { unreachable } from "../../base/result.ts";
import { textDiff } from "../../base/text-diff.ts";
import { agentsLimits } from "../limits.ts";
import type { AgentEvent, Usage } from "./agent.ts";
import { type Json, toCount, toText } from "./json.ts";

/** One thing that an agent said or did, in the same form for every agent. Its texts are the agent's: expect anything. */
export type TranscriptEntry =
  | Words
  | Call
  /** What a call returned. */
  | {
      readonly type: "result";
      readonly id: string;
      readonly text: string;
      readonly failed: boolean;
      readonly exitCode?: number | undefined;
    }
  | FileDiff
  | Notice
  /** The total that the session has used so far. */
  | { readonly type: "usage"; readonly usage: Usage };

/** What it says, or thinks aloud. Agents send it whole or in pieces, of which the next continues the last. */
export type Words = WordsOf<"says"> | WordsOf<"thinks">;

interface WordsOf<Type> {
  readonly type: Type;
  readonly text: string;
  readonly isPiece?: true;
}

/** A call of one of its tools. */
export interface Call {
  readonly type: "calls";
  readonly id: string;
  /** The tool's own name. */
  readonly name: string;
  /** What the tool does, where that is known; `$` runs a command. */
  readonly verb: "$" | "read" | "edit" | "write" | "search" | "fetch" | null;
  /** The command, the path, or the other arguments. */
  readonly detail: string;
}

/** A file was changed. */
export interface FileDiff {
  readonly type: "diff";
  readonly path: string;
  readonly change: "add" | "modify" | "delete";
  /** Makes the lines of the diff, when somebody reads them; none where the agent does not report them. */
  readonly lines: () => readonly string[];
}

/** Something about the session itself. Only a retry and a note reach those who watch the run: its outcome reports an error. */
export type Notice =
  | { readonly type: "notice"; readonly tone: "retry"; readonly delayMs: number | null; readonly text: string }
  | { readonly type: "notice"; readonly tone: "note" | "error"; readonly text: string }
  /** A line that is no event: programs also write warnings and traces. */
  | { readonly type: "notice"; readonly tone: "aside"; readonly text: string };

/** Reads the output of one session, line by line. */
export type TranscriptReader = (line: string) => readonly TranscriptEntry[];

/** Reads the events of one session; a line of output that is no event never gets here. */
export type EventReader = (line: Json) => readonly TranscriptEntry[];

/** Makes the events for those who watch a session. */
export function eventsOf(entries: readonly TranscriptEntry[]): AgentEvent[] {
  return entries.flatMap((entry): AgentEvent[] => {
    switch (entry.type) {
      case "says":
        return [{ type: "text", text: entry.text }];
      case "calls":
        return [
          { type: "tool", name: entry.name, detail: entry.detail.slice(0, agentsLimits.agentToolDetailCharsMax) },
        ];
      case "diff":
        return [{ type: "file", path: entry.path, change: entry.change }];
      case "usage":
        return [{ type: "usage", usage: entry.usage }];
      case "notice":
        return noticeEvents(entry);
      case "thinks":
      case "result":
        return [];
      default:
        return unreachable(entry);
    }
  });
}

function noticeEvents(notice: Notice): AgentEvent[] {
  if (notice.tone === "retry") return [{ type: "retry", delayMs: notice.delayMs, why: notice.text }];
  return notice.tone === "note" ? [{ type: "notice", text: notice.text }] : [];
}

/** Compares two pieces of a file, whose place in it is not known. */
export function pieceDiff(before: string, after: string): readonly string[] {
  return textDiff(before, after).filter((line) => !line.startsWith("@@"));
}

/** Adds the lines that are read to a path, where a call names them by their first line and their number. */
export function readDetail(path: string, input: Json): string {
  const [offset, limit] = [toCount(input["offset"]), toCount(input["limit"])];
  if (path === "" || (offset === undefined && limit === undefined)) return path;
  const first = Math.max(1, offset ?? 1);
  return `${path}:${first}-${limit === undefined ? "" : first + limit - 1}`;
}

/** Returns the first of these fields that is a text. */
export function firstText(input: Json, keys: readonly string[]): string {
  return keys.map((key) => toText(input[key])).find((text) => text !== "") ?? "";
}

/** Writes arguments of a tool that nobody knows. */
export function anyDetail(input: Json): string {
  return Object.keys(input).length === 0 ? "" : JSON.stringify(input).slice(0, agentsLimits.agentToolDetailCharsMax);
}
