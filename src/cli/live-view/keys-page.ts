import { clip } from "../width.ts";
import type { Drawing } from "./drawing.ts";

type KeyLine = readonly [key: string, does: string];

const first: readonly KeyLine[] = [
  ["p", "pause the run, or let it go on, as `stint pause` and `stint resume`"],
  ["↑ ↓", "choose a task"],
  ["Enter, l", "open its log: events, evidence, output; Esc goes back"],
  ["q", "leave this view; the run goes on"],
];

const last: readonly KeyLine[] = [
  ["Ctrl-Z", "leave this view and suspend, as in any program"],
  ["?", "this page"],
];

/** Which keys there are; only in the terminal that drives the run does Ctrl-C end it. */
export function keysFrame({ size, paint, footer }: Drawing, isDriver: boolean): string[] {
  const { columns, rows } = size;
  const interrupt = isDriver ? "end the run in order, resumable; a second one ends at once" : "the same as q";
  const lines = [...first, ["Ctrl-C", interrupt] as const, ...last].map(([key, does]) =>
    clip(` ${key.padEnd(9)} ${does}`, columns),
  );
  const body = [paint.bold(clip(" Keys", columns)), "", ...lines];
  const blank = Array.from({ length: Math.max(0, rows - body.length - 1) }, () => "");
  return [...body, ...blank, paint.dim(clip(footer, columns))].slice(0, rows);
}
