import { cellsOf } from "../width.ts";

/** A line of the view for a terminal that draws only ASCII; as wide as before. */
export function toAscii(line: string): string {
  // Codes of colours are ASCII themselves.
  return line.replaceAll(/[\u{80}-\u{10ffff}]/gu, (char) => signs[char] ?? "?".repeat(cellsOf(char)));
}

const signs: Readonly<Record<string, string>> = {
  "━": "=",
  "─": "-",
  "…": "~",
  "·": "|",
  "›": ">",
  "✓": "+",
  "↑": "^",
  "↓": "v",
};
