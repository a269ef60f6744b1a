import type { RunState } from "../../engine/state.ts";
import type { RunEntry } from "../../hooks/run-entry.ts";
import { renderWithEvidence } from "../render-event.ts";
import { clip, wrap } from "../width.ts";
import type { Drawing } from "./drawing.ts";
import { shown } from "./format.ts";

/** The log of one task: what happened to it, and in between what its agents said and did. */
export interface TaskLog {
  readonly task: string;
  readonly title: string;
  /** Neutralised lines that fit, oldest first, up to a bound. */
  readonly lines: readonly string[];
  /** Adds what is new. */
  readonly readOn: () => void;
}

/** Renders an event for the log. */
export function eventLines(
  entry: RunEntry,
  { size, paint }: Pick<Drawing, "size" | "paint">,
  state?: RunState,
): string[] {
  return renderWithEvidence(entry, state).flatMap((line) => fitting(line, size.columns).map(detail(line, paint.dim)));
}

/** Draws the page: a heading, the visible part of the log, and the keys. */
export function logFrame(
  { task, title, lines }: Omit<TaskLog, "readOn">,
  {
    below,
    drawing,
    running,
  }: { readonly below: number; readonly drawing: Drawing; /** What runs for the task now. */ readonly running: string },
): string[] {
  const { size, paint, footer } = drawing;
  const room = logRoom(size.rows);
  const end = lines.length - below;
  const part = lines.slice(Math.max(0, end - room), end);
  const where = below === 0 ? "" : `  ${below} more below`;
  const head = clip(`Log of ${task}  ${shown(title)}${where}`, size.columns);
  const blank = Array.from({ length: Math.max(0, room - part.length) }, () => "");
  return [
    paint.bold(head),
    paint.dim(clip(shown(running), size.columns)),
    ...part,
    ...blank,
    paint.dim(clip(footer, size.columns)),
  ].slice(0, size.rows);
}

/** Counts the lines of the log that fit on a page. */
export function logRoom(rows: number): number {
  return Math.max(1, rows - 3);
}

/** One line may contain a whole file. */
function fitting(line: string, columns: number): string[] {
  return wrap(line.slice(0, lineCharsMax).replaceAll("\u{fe0f}", ""), columns);
}

const lineCharsMax = 2_000;

/** Evidence is dimmed below its event. */
function detail(line: string, dim: (text: string) => string): (part: string) => string {
  return line.startsWith("  ") ? dim : (part) => part;
}
