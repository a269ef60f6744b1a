import type { Paint } from "../paint.ts";
import type { FrameOptions } from "./drawing.ts";
import type { ViewModel } from "./model.ts";
import { row } from "./row.ts";
import type { Standing } from "./standing.ts";
import { wrap } from "./width.ts";
import { clock, counted } from "./words.ts";

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
  if (rows < 8) return [first, ...notes.slice(0, 1).flatMap((note) => noteLines(note, columns, paint).slice(0, 1))];
  const said = notes.flatMap((note) => noteLines(note, columns, paint));
  return [first, barLine(model, columns, paint), ...said.slice(0, Math.max(1, Math.floor(rows / 4)))];
}

const tones = { good: "green", wait: "yellow", bad: "red" } as const;

function toneOf(paint: Paint, { tone }: Standing): (text: string) => string {
  return paint[tones[tone]];
}

function noteLines(note: string, columns: number, paint: Paint): string[] {
  return wrap(note, columns).slice(0, 2).map(paint.yellow);
}

function barLine(model: ViewModel, columns: number, paint: Paint): string {
  const { progress, lanes, cost } = model;
  const { done, blocked, all } = progress;
  const facts = [
    `${done} of ${counted(all, "task")}`,
    ...(blocked === 0 ? [] : [`${blocked} blocked`]),
    `${lanes.used} of ${counted(lanes.all, "lane")}`,
    ...cost,
  ].join(" · ");
  const width = Math.max(8, Math.min(30, columns - facts.length - 2));
  const bar = barOf(progress, width, paint);
  const room = columns - width - 2;
  return room < 10 ? row([{ text: facts }], columns) : `${bar}  ${row([{ text: facts, width: room }], room)}`;
}

/** Filled by what is done; what is blocked is marked at the end. */
function barOf({ done, blocked, all }: ViewModel["progress"], width: number, paint: Paint): string {
  const part = (count: number) => (all === 0 ? 0 : Math.floor((count / all) * width));
  const [full, bad] = [part(done), Math.min(width - part(done), blocked === 0 ? 0 : Math.max(1, part(blocked)))];
  const rest = width - full - bad;
  return paint.green("━".repeat(full)) + paint.dim("─".repeat(rest)) + paint.red("━".repeat(bad));
}
