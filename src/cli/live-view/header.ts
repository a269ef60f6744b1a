import { plural } from "../../base/plural.ts";
import type { Paint } from "../paint.ts";
import { clip, wrap } from "../width.ts";
import type { FrameOptions } from "./drawing.ts";
import type { ViewModel } from "./model.ts";
import { row } from "./row.ts";
import type { Standing } from "./standing.ts";
import { clock } from "./words.ts";

/** Plan and standing, the bar, what it costs, and why nothing goes on where that is so. */
export function headerLines(model: ViewModel, { size: { columns, rows }, paint }: FrameOptions): string[] {
  const { plan, title, standing, elapsedMs, notes } = model;
  const first = row(
    [
      { text: plan, paint: paint.bold },
      { text: title, flex: true },
      { text: standing.word, paint: toneOf(paint, standing) },
      { text: clock(elapsedMs), paint: paint.dim },
    ],
    columns,
  );
  const said = notes.flatMap((note) => wrap(note, columns).slice(0, 2)).map(paint.yellow);
  if (rows < 8) return [first, ...said.slice(0, 1)];
  const numbers = [barLine(model, columns, paint), paint.dim(clip(factsOf(model).join(" · "), columns))];
  return [first, ...numbers, ...said.slice(0, Math.max(1, Math.floor(rows / 4)))];
}

const tones = { good: "green", wait: "yellow", bad: "red" } as const;

function toneOf(paint: Paint, { tone }: Standing): (text: string) => string {
  return paint[tones[tone]];
}

function barLine({ progress }: ViewModel, columns: number, paint: Paint): string {
  const done = clip(`${progress.done} of ${plural(progress.all, "task")}`, columns);
  const width = columns - done.length - 2;
  return width < 4 ? done : `${barOf(progress, width, paint)}  ${done}`;
}

function factsOf({ lanes, cost, progress: { blocked } }: ViewModel): string[] {
  const used = `${lanes.used} of ${plural(lanes.all, "lane")} used`;
  return [used, ...cost, ...(blocked === 0 ? [] : [`${blocked} blocked`])];
}

/** Filled by what is done; what is blocked is marked at the end. */
function barOf({ done, blocked, all }: ViewModel["progress"], width: number, paint: Paint): string {
  const part = (count: number) => (all === 0 ? 0 : Math.floor((count / all) * width));
  const [full, bad] = [part(done), Math.min(width - part(done), blocked === 0 ? 0 : Math.max(1, part(blocked)))];
  const rest = width - full - bad;
  return paint.green("━".repeat(full)) + paint.dim("─".repeat(rest)) + paint.red("━".repeat(bad));
}
