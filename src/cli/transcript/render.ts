import type { Call, FileDiff, Notice, TranscriptEntry } from "../../agents/driver-kit/transcript.ts";
import { readableLine } from "../../base/readable.ts";
import { unreachable } from "../../base/result.ts";
import { shortened, visibleLine } from "../../base/visible.ts";
import { cliLimits } from "../limits.ts";
import type { Paint } from "../paint.ts";
import type { Look } from "../text-layout.ts";
import { clip, wrap } from "../width.ts";
import { joinWords, moreLines, type Spoken } from "./words.ts";

/** How a transcript is drawn; without a terminal its width is infinite. */
type TranscriptLook = Pick<Look, "width" | "paint">;

/** Renders what one agent said and did, entry by entry. All of its text is neutralised. */
export interface TranscriptRenderer {
  /** Returns the lines that are ready now. */
  readonly add: (entry: TranscriptEntry) => string[];
  /** Returns what was held back, because more of it might have come. */
  readonly end: () => string[];
}

/** Renders a session of an agent that works in this folder. */
export function transcriptRenderer(look: TranscriptLook, workspace: string): TranscriptRenderer {
  const words = joinWords();
  const pen: Pen = { ...look, workspace, calls: new Map(), current: noCall };
  let last: "words" | "deed" | null = null;
  let said = "";
  /** Leaves a line free around what is said. */
  const block = (kind: "words" | "deed", lines: readonly string[], isFirst = true): string[] => {
    if (lines.length === 0) return [];
    const isApart = last !== null && isFirst && (kind === "words" || last === "words");
    last = kind;
    return isApart ? ["", ...lines] : [...lines];
  };
  const speak = (spoken: readonly Spoken[]): string[] =>
    spoken.flatMap(({ type, lines, isFirst }) =>
      type === "says"
        ? block(
            "words",
            lines.flatMap((line) => wrapped(line, look.width)),
            isFirst,
          )
        : block(
            "deed",
            lines.map((line) => look.paint.dim(cut(line, look.width))),
            isFirst,
          ),
    );
  return {
    add: (entry) => {
      if (entry.type === "says") said = entry.text;
      if (entry.type === "says" || entry.type === "thinks") return speak(words.add(entry));
      // The event that ends the session says what it cost.
      if (entry.type === "usage") return [];
      const before = speak(words.end());
      // Some agents say an error first, and then report it.
      const isSaid = entry.type === "notice" && entry.text.trim() === said.trim();
      said = "";
      if (isSaid) return before;
      return [...before, ...block("deed", deedLines(entry, pen))];
    },
    end: () => speak(words.end()),
  };
}

/** What is known while a session is drawn. */
interface Pen extends TranscriptLook {
  readonly workspace: string;
  /** The calls that have no result yet, as they were shown. */
  readonly calls: Map<string, string>;
  /** The call that was shown last. */
  current: { readonly head: string; readonly path: string };
}

const noCall: Pen["current"] = { head: "", path: "" };

type Deed = Exclude<TranscriptEntry, { type: "says" | "thinks" | "usage" }>;

function deedLines(entry: Deed, pen: Pen): string[] {
  switch (entry.type) {
    case "calls":
      return callLines(entry, pen);
    case "result":
      return resultLines(entry, pen);
    case "diff":
      return diffLines(entry, pen);
    case "notice":
      return [noticeLine(entry, pen)];
    default:
      return unreachable(entry);
  }
}

function callLines({ id, verb, name, detail }: Call, pen: Pen): string[] {
  const path = inWorkspace(detail, pen);
  const [first = "", ...more] = path.trim().split("\n");
  const rest = more.length === 0 ? "" : ` ${moreLines(more.length)}`;
  const head = cut(`${verb ?? name} ${first}`.trimEnd(), pen.width - rest.length) + rest;
  if (pen.calls.size >= cliLimits.transcriptCallsMax) pen.calls.clear();
  if (id !== "") pen.calls.set(id, head);
  pen.current = { head, path };
  return [pen.paint.bold(head)];
}

/** Where several calls run at once, the call is named again above its result. */
function resultLines(entry: Extract<Deed, { type: "result" }>, pen: Pen): string[] {
  const { id, text, failed, exitCode = 0 } = entry;
  const { width, paint, calls } = pen;
  const bad = exitCode !== 0 ? [`exit ${exitCode}`] : failed ? ["failed"] : [];
  const lines = fold(
    text.trimEnd().split("\n"),
    bad.length === 0 ? cliLimits.transcriptFold : cliLimits.transcriptFoldBad,
  );
  const shown = text.trim() === "" ? [] : lines;
  const head = calls.get(id) ?? pen.current.head;
  calls.delete(id);
  const isOther = head !== pen.current.head && shown.length + bad.length > 0;
  pen.current = { head: isOther ? head : pen.current.head, path: "" };
  return [
    ...(isOther ? [paint.bold(head)] : []),
    ...shown.map((line) => paint.dim(indented(line, width))),
    ...bad.map((line) => paint.red(indented(line, width))),
  ];
}

function diffLines({ path: reported, change, lines }: FileDiff, pen: Pen): string[] {
  const { width, paint, current } = pen;
  const path = inWorkspace(reported, pen);
  pen.current = noCall;
  const head = current.path === path ? [] : [paint.bold(cut(`${changes[change]} ${path}`, width))];
  const shown = fold(lines(), cliLimits.transcriptFoldDiff);
  return [...head, ...shown.map((line) => diffPaint(line, paint)(indented(line, width)))];
}

const changes = { add: "write", modify: "edit", delete: "delete" } as const;

function diffPaint(line: string, paint: Paint): (text: string) => string {
  if (line.startsWith("+")) return paint.green;
  if (line.startsWith("-")) return paint.red;
  return line.startsWith("@@") ? paint.cyan : paint.dim;
}

function noticeLine(notice: Notice, { width, paint }: Pen): string {
  switch (notice.tone) {
    case "retry": {
      const when = notice.delayMs === null ? "" : ` in ${Math.round(notice.delayMs / 1000)} s`;
      return paint.yellow(cut(`! retries${when}: ${notice.text}`, width));
    }
    case "note":
      return paint.yellow(cut(`! ${notice.text}`, width));
    case "error":
      return paint.red(cut(`! ${notice.text}`, width));
    case "aside":
      return paint.dim(cut(`| ${notice.text}`, width));
    default:
      return unreachable(notice);
  }
}

/** Keeps the first and the last lines; a fold that would hide one line hides none. */
export function fold(
  lines: readonly string[],
  { first, last }: { readonly first: number; readonly last: number },
): string[] {
  const hidden = lines.length - first - last;
  if (hidden <= 1) return [...lines];
  return [...lines.slice(0, first), moreLines(hidden), ...lines.slice(lines.length - last)];
}

function inWorkspace(path: string, { workspace }: Pen): string {
  return workspace !== "" && path.startsWith(`${workspace}/`) ? path.slice(workspace.length + 1) : path;
}

function indented(line: string, width: number): string {
  return `    ${cut(line, width - 4)}`;
}

/** One line may contain a whole file. */
function cut(line: string, width: number): string {
  return clip(clean(shortened(line, cliLimits.transcriptLineCharsMax)), Math.max(1, width));
}

/** What is said is shown whole: in a terminal on as many lines as it takes. */
function wrapped(line: string, width: number): string[] {
  const text = clean(line);
  if (!Number.isFinite(width)) return [text];
  const parts: string[] = [];
  // Wrapping takes the square of the length.
  for (let at = 0; at === 0 || at < text.length; at += cliLimits.transcriptLineCharsMax)
    parts.push(...wrap(text.slice(at, at + cliLimits.transcriptLineCharsMax), Math.max(1, width)));
  return parts;
}

/** Makes one line of an agent's fit for a terminal. */
function clean(line: string): string {
  // Terminals disagree about the width of an emoji with its selector; without it they agree.
  return visibleLine(readableLine(line)).replaceAll("\u{fe0f}", "");
}
