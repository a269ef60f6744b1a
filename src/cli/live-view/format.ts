import { writeDuration } from "../../base/duration.ts";
import { shortened, visible } from "../../base/visible.ts";

/** Makes foreign text fit for one line of the view: short, and nothing in it that a terminal would act on or measure in two ways. */
export function shown(text: string): string {
  // Terminals disagree about the width of an emoji with its selector; without it they agree.
  return visible(shortened(text, textCharsMax)).replaceAll("\u{fe0f}", "");
}

/** More does not fit on any line. */
const textCharsMax = 500;

/** Writes a duration as a clock does: 0:07, 12:41, 1:02:41. */
export function clock(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const tail = two(seconds % 60);
  return hours === 0 ? `${minutes}:${tail}` : `${hours}:${two(minutes)}:${tail}`;
}

/** Writes it in seven cells, also where a task takes days: 12h05m. */
export function briefClock(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  return minutes < 600 ? clock(ms) : `${Math.floor(minutes / 60)}h${two(minutes % 60)}m`;
}

/** Writes a duration as an author writes an estimate. */
export function estimate(ms: number): string {
  return writeDuration(Math.max(1, Math.round(ms / 60_000)) * 60_000);
}

/** Writes a time of today by the hour, any other with its day. */
export function localTime(iso: string, now: number): string {
  const [at, today] = [new Date(iso), new Date(now)];
  const hour = at.toTimeString().slice(0, 5);
  return at.toDateString() === today.toDateString() ? hour : `${at.toDateString().slice(0, 10)}, ${hour}`;
}

function two(value: number): string {
  return String(value).padStart(2, "0");
}
