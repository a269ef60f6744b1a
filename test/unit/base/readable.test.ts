import { expect, test } from "vitest";
import { baseLimits } from "../../../src/base/limits.ts";
import { readableLine, readableLines } from "../../../src/base/readable.ts";
import { visible } from "../../../src/base/visible.ts";

const shown: readonly (readonly [string, string, readonly string[]])[] = [
  ["colours are left out", "\u{1b}[31mAssertionError\u{1b}[0m: \u{1b}[38;5;12mx\u{1b}[m\n", ["AssertionError: x"]],
  [
    "of a line that was rewritten only its last state is kept",
    "start\n\r[  8%] \u{1b}[32m#\u{1b}[0m\r[ 16%] ##\r\ndone\n",
    ["start", "[ 16%] ##", "done"],
  ],
  ["a line that was wiped keeps what it said last", "\r50%\r100%\r    \r\u{1b}[K\n", ["100%"]],
  ["line ends of Windows are line ends", "a\r\nb\r\n", ["a", "b"]],
  [
    "titles, links and cursor movements are left out",
    "\u{1b}]0;npm\u{7}a\u{1b}]8;;https://x.y/\u{1b}\\link\u{1b}]8;;\u{1b}\\\u{1b}[2K\u{1b}[1A\u{1b}(B\u{1b}7\u{9b}2Jz",
    ["alinkz"],
  ],
  ["tabs are spaces, empty lines between others stay", "a\n\n\tb\n\n", ["a", "", "    b"]],
  ["a sequence that does not end takes nothing with it", "\u{1b}]0;title\nb\u{1b}[", ["\u{1b}]0;title", "b\u{1b}["]],
  ["nothing printed is no line", " \n\u{1b}[0m\n", []],
];

test.each(shown)("%s", (_, output, lines) => {
  expect(readableLines(output)).toEqual(lines);
});

test("a long line is cut, and a long one that was rewritten shows its end state", () => {
  const most = baseLimits.readableLineCharsMax;
  expect(readableLines(`${"x".repeat(16_000)}\nb`)).toEqual([`${"x".repeat(most)}…`, "b"]);
  expect(readableLines(`${"x".repeat(16_000)}\r99%`)).toEqual(["99%"]);
  expect(readableLine("x".repeat(16_000))).toHaveLength(16_000);
});

test("whatever else a terminal would obey is left for `visible`", () => {
  expect(readableLines("a\u{7}\u{8}\u{202e}").map((line) => visible(line))).toEqual(["a\\u{7}\\u{8}\\u{202e}"]);
});

test("starts of sequences that never end take no time to speak of", () => {
  const hostile = ["\u{1b}]", "\u{90}", "\u{1b}[", "\u{1b}[1;", "\u{1b} "].map((start) => start.repeat(300_000));
  for (const text of hostile) expect(readableLine(text).length).toBeLessThanOrEqual(text.length);
});
