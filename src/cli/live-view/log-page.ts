import type { RunEntry } from "../../hooks/run-entry.ts";
import type { Cursor } from "../../journal/scan.ts";
import { visible } from "../../base/visible.ts";
import { cliLimits } from "../limits.ts";
import { renderWithEvidence } from "../render-event.ts";
import { clip, wrap } from "../width.ts";
import type { Drawing } from "./drawing.ts";
import { shown } from "./format.ts";

/** The log of one task: what happened to it, and how the output of its latest attempt ends. */
export interface TaskLog {
  readonly task: string;
  readonly title: string;
  readonly entries: readonly RunEntry[];
  /** How far the journal was read. */
  readonly cursor: Cursor;
  /** The output of the latest attempt; empty if it printed nothing. */
  readonly output: { readonly attempt: number; readonly text: string; readonly isWhole: boolean };
}

/** Renders the log as neutralised lines that fit, oldest first. */
export function logLines({ entries, output }: TaskLog, { size, paint }: Pick<Drawing, "size" | "paint">): string[] {
  const { columns } = size;
  const events = entries.flatMap(renderWithEvidence);
  const printed = output.text.split("\n").map((line) => visible(line, { multiline: false }));
  const text = output.text.trim() === "" ? [] : trimmed(printed);
  const head = `${output.isWhole ? "Output" : "End of the output"} of attempt ${output.attempt}`;
  return [
    ...events.slice(-cliLimits.viewLogLinesMax).flatMap((line) => fitting(line, columns).map(detail(line, paint.dim))),
    ...(text.length === 0 ? [] : ["", paint.bold(clip(head, columns))]),
    ...text.slice(-cliLimits.viewLogLinesMax).flatMap((line) => fitting(line, columns)),
  ];
}

/** Draws the page: a heading, the visible part of the log, and the keys. */
export function logFrame(
  log: Pick<TaskLog, "task" | "title">,
  { lines, below, drawing }: { readonly lines: readonly string[]; readonly below: number; readonly drawing: Drawing },
): string[] {
  const { size, paint, footer } = drawing;
  const room = logRoom(size.rows);
  const end = lines.length - below;
  const part = lines.slice(Math.max(0, end - room), end);
  const where = below === 0 ? "" : `  ${below} more below`;
  const head = clip(`Log of ${log.task}  ${shown(log.title)}${where}`, size.columns);
  const blank = Array.from({ length: Math.max(0, room - part.length) }, () => "");
  return [paint.bold(head), "", ...part, ...blank, paint.dim(clip(footer, size.columns))].slice(0, size.rows);
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

function trimmed(lines: readonly string[]): readonly string[] {
  const last = lines.findLastIndex((line) => line.trim() !== "");
  return lines.slice(0, last + 1);
}
