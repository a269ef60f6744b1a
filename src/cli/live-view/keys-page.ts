import { clip } from "../width.ts";
import type { Drawing } from "./drawing.ts";

type KeyLine = readonly [key: string, does: string];

const first: readonly KeyLine[] = [
  ["p", "pause or resume the run, like `stint pause` and `stint resume`"],
  ["↑ ↓", "select a task"],
  ["Enter, l", "open its log: events, evidence, output; Esc goes back"],
  ["q", "close this view; the run continues"],
];

const last: readonly KeyLine[] = [
  ["Ctrl-Z", "close this view and suspend, as in any program"],
  ["?", "show this page"],
];

/** The page of keys; Ctrl-C ends the run only in the terminal that drives it. */
export function keysFrame({ size, paint, footer }: Drawing, isDriver: boolean): string[] {
  const { columns, rows } = size;
  const interrupt = isDriver ? "stop the run cleanly, to be resumed; press it twice to quit at once" : "the same as q";
  const lines = [...first, ["Ctrl-C", interrupt] as const, ...last].map(([key, does]) =>
    clip(` ${key.padEnd(9)} ${does}`, columns),
  );
  const body = [paint.bold(clip(" Keys", columns)), "", ...lines];
  const blank = Array.from({ length: Math.max(0, rows - body.length - 1) }, () => "");
  return [...body, ...blank, paint.dim(clip(footer, columns))].slice(0, rows);
}
