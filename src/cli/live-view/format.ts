import { clock, twoDigits, writeDuration } from "../../base/duration.ts";
import { inOneLine, shortened, visibleLine } from "../../base/visible.ts";

/** Makes foreign text fit for one line of the view: short, and nothing in it that a terminal would act on or measure in two ways. */
export function shown(text: string): string {
  // Terminals disagree about the width of an emoji with its selector; without it they agree.
  return visibleLine(shortened(inOneLine(text), textCharsMax)).replaceAll("\u{fe0f}", "");
}

/** More does not fit on any line. */
const textCharsMax = 500;

/** Writes it in seven cells, also where a task takes days: 12h05m. */
export function briefClock(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  return minutes < 600 ? clock(ms) : `${Math.floor(minutes / 60)}h${twoDigits(minutes % 60)}m`;
}

/** Writes a duration as an author writes an estimate. */
export function estimate(ms: number): string {
  return writeDuration(Math.max(1, Math.round(ms / 60_000)) * 60_000);
}
