import { reportLimits } from "./limits.ts";
import { shortened, visible, visibleLine } from "../base/visible.ts";

/** Writes foreign text as prose on one line: nothing in it is a link, an image, HTML, a heading or the end of a table's cell. */
export function prose(text: string, charsMax: number = reportLimits.reportTextCharsMax): string {
  // Cut first, because what is made visible only grows; then again.
  const line = shortened(visibleLine(shortened(text.trim(), charsMax).replace(/\s*\n\s*/g, " ")), charsMax);
  return linkLike.test(line) ? code(line) : escaped(line);
}

/** Writes foreign text as code: a command, a path, a branch. */
export function code(text: string): string {
  const line = visible(text);
  const fence = "`".repeat(longestRun(line) + 1);
  const padded = line.startsWith("`") || line.endsWith("`") ? ` ${line} ` : line;
  return line === "" ? "" : `${fence}${padded}${fence}`;
}

/** Writes a row of a table. A bar ends a cell, even in code, unless an odd number of backslashes precedes it. */
export function row(cells: readonly string[]): string {
  const safe = (cell: string) =>
    cell.replace(/(\\*)\|/g, (found, slashes: string) => (slashes.length % 2 === 1 ? found : `${slashes}\\|`));
  return `| ${cells.map(safe).join(" | ")} |`;
}

/** Puts foreign lines into a fence that none of them can close. */
export function fenced(lines: readonly string[], language = "text"): string {
  const shown = lines.map((line) => visible(line.replaceAll("\n", "\\n"), { multiline: true }));
  const fence = "`".repeat(Math.max(3, longestRun(shown.join("\n")) + 1));
  return [`${fence}${language}`, ...shown, fence].join("\n");
}

/** Renders items as long as they fit, then says how many are left out; those are not rendered at all. */
export function bounded<T>(
  items: readonly T[],
  say: (item: T) => string,
  { charsMax, leftOut }: { readonly charsMax: number; readonly leftOut: (count: number) => string },
): string[] {
  const said: string[] = [];
  let left = charsMax;
  for (const item of items) {
    const next = say(item);
    left -= next.length + 1;
    if (left < 0) return [...said, leftOut(items.length - said.length)];
    said.push(next);
  }
  return said;
}

/** Many readers make links of bare addresses, but not in code. */
const linkLike = /:\/\/|www\.|@|mailto:/i;

function escaped(line: string): string {
  const inline = line.replace(/[\\`*[\]<>&|~$]|(?<!\w)_|_(?!\w)/g, "\\$&");
  // At the beginning of a block these would make a list or a heading of it.
  return inline.replace(/^(?:[#+=-]|\d+(?=[.)](?:\s|$)))/, (start) => (/\d/.test(start) ? `${start}\\` : `\\${start}`));
}

function longestRun(text: string): number {
  return Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
}
