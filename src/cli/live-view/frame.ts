import { clock } from "../../base/duration.ts";
import { plural } from "../../base/plural.ts";
import { clip, wrap } from "../width.ts";
import type { Paint } from "../paint.ts";
import { type FrameOptions, row } from "./drawing.ts";
import type { ViewModel, Status } from "./model.ts";
import { layOut, sectionsOf } from "./sections.ts";

/** Draws the page as lines, none wider than the terminal and never more than it has rows. */
export function frame(model: ViewModel, options: FrameOptions): string[] {
  const { columns, rows } = options.size;
  if (columns < 1 || rows < 1) return [];
  // Where there is room, nothing sticks to the edge.
  const margin = columns < 60 ? 0 : 1;
  const inner = { ...options, size: { columns: columns - 2 * margin, rows } };
  return linesOf(model, inner).map((line) => (line === "" ? "" : " ".repeat(margin) + line));
}

/** Lists the tasks that can be selected, in the order in which they are shown. */
export function choices({ running, needs, next, finished }: ViewModel): string[] {
  const tasks = running.filter(({ attempt }) => attempt > 0);
  return [...new Set([...tasks, ...needs, ...next, ...finished].map(({ id }) => id))];
}

function linesOf(model: ViewModel, options: FrameOptions): string[] {
  const { size, paint, footer, warning, selected } = options;
  const header = headerLines(model, options);
  const warned = warning === null ? [] : [paint.red(clip(`! ${warning}`, size.columns))];
  const foot = size.rows >= 6 && footer !== "" ? [paint.dim(clip(footer, size.columns))] : [];
  const room = Math.max(0, size.rows - header.length - warned.length - foot.length);
  const body = layOut(sectionsOf(model, options, room), { room, selected });
  const blank = Array.from({ length: Math.max(0, room - body.length) }, () => "");
  return [...header, ...warned, ...body, ...blank, ...foot].slice(0, size.rows);
}

/** Shows the plan and its state, the progress bar, the cost, and why nothing happens, if nothing does. */
function headerLines(model: ViewModel, { size: { columns, rows }, paint }: FrameOptions): string[] {
  const { plan, title, status, elapsedMs, notes } = model;
  const first = row(
    [
      { text: plan, paint: paint.bold },
      { text: title, flex: true },
      { text: status.word, paint: toneOf(paint, status) },
      { text: clock(elapsedMs), paint: paint.dim },
    ],
    columns,
  );
  const said = notes.flatMap((note) => firstLines(wrap(note, columns), columns)).map(paint.yellow);
  if (rows < 8) return [first, ...said.slice(0, 1)];
  const numbers = [barLine(model, columns, paint), paint.dim(clip(factsOf(model).join(" · "), columns))];
  return [first, ...numbers, ...said.slice(0, Math.max(1, Math.floor(rows / 4)))];
}

/** A note says first what is wrong, then how to fix it; what is cut is seen to be. */
function firstLines(lines: readonly string[], columns: number): string[] {
  if (lines.length <= noteLinesMax) return [...lines];
  return [...lines.slice(0, noteLinesMax - 1), clip(lines.slice(noteLinesMax - 1).join(" "), columns)];
}

const noteLinesMax = 4;

const tones = { good: "green", wait: "yellow", bad: "red" } as const;

function toneOf(paint: Paint, { tone }: Status): (text: string) => string {
  return paint[tones[tone]];
}

function barLine({ progress }: ViewModel, columns: number, paint: Paint): string {
  const done = clip(`${progress.done} of ${plural(progress.all, "task")}`, columns);
  const width = columns - done.length - 2;
  return width < 4 ? done : `${barOf(progress, width, paint)}  ${done}`;
}

function factsOf({ lanes, cost, progress: { blocked } }: ViewModel): string[] {
  const used = `${lanes.used} of ${lanes.all} running in parallel`;
  return [used, ...cost, ...(blocked === 0 ? [] : [`${blocked} blocked`])];
}

/** Fills the bar by what is done, and marks blocked tasks at its end. */
function barOf({ done, blocked, all }: ViewModel["progress"], width: number, paint: Paint): string {
  const part = (count: number) => (all === 0 ? 0 : Math.floor((count / all) * width));
  const [full, bad] = [part(done), Math.min(width - part(done), blocked === 0 ? 0 : Math.max(1, part(blocked)))];
  const rest = width - full - bad;
  return paint.green("━".repeat(full)) + paint.dim("─".repeat(rest)) + paint.red("━".repeat(bad));
}
