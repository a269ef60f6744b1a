import { clip } from "../width.ts";
import type { Drawing } from "./drawing.ts";

const keys: readonly (readonly [string, string])[] = [
  ["p", "pause the run, or let it go on; as `stint pause` and `stint resume` do"],
  ["↑ ↓", "choose a task"],
  ["Enter, l", "open its log: events, evidence, output; Esc goes back"],
  ["q", "leave this view; the run goes on"],
  ["Ctrl-C", "end the run in order, resumable; a second one ends at once"],
  ["Ctrl-Z", "leave this view and suspend, as in any program"],
  ["?", "this page; any key goes back"],
];

/** Which keys there are. */
export function keysFrame({ size, paint, footer }: Drawing): string[] {
  const { columns, rows } = size;
  const lines = keys.map(([key, does]) => clip(` ${key.padEnd(9)} ${does}`, columns));
  const body = [paint.bold(clip(" Keys", columns)), "", ...lines];
  const blank = Array.from({ length: Math.max(0, rows - body.length - 1) }, () => "");
  return [...body, ...blank, paint.dim(clip(footer, columns))].slice(0, rows);
}
