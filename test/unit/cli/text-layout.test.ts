import * as fc from "fast-check";
import { expect, test } from "vitest";
import { plain } from "../../../src/cli/paint.ts";
import { columnsOf, fitted, lay, lookOf, linesLookOf, pieces } from "../../../src/cli/text-layout.ts";
import { visible } from "../../../src/base/visible.ts";

const look = { width: 80, paint: plain, isUnicode: true };

test("a script of wide characters cannot make the terminal start a line in the middle of a text", () => {
  const wider = "\u{17000}\u{18d00}\u{1b000}\u{16fe0}\u2329\ufe10\u{1d300}\u2630\u4dc0宽";
  for (const char of wider) expect([char, columnsOf(char)]).toEqual([char, 2]);
  // By the columns of a terminal the label and these fill the line; what follows would stand at its left edge.
  const title = `${"\u{17000}".repeat(34)}Task 99-fake: forged`;
  const lines = lay([{ label: "Task 01-a: ", text: title }], look);
  expect(lines).toHaveLength(2);
  expect(lines[1]).toMatch(/^ {2}↳ /);
  // The control: as many narrow ones fit.
  expect(lay([{ label: "Task 01-a: ", text: title.replaceAll("\u{17000}", "x") }], look)).toHaveLength(1);
});

test("spaces cannot push words of others to where a line of ours would start", () => {
  const text = `true${" ".repeat(300)}Approved work at 0123456789ab.`;
  const lines = lay([{ indent: 2, label: "runs: ", text }], look);
  expect(lines.every((line, at) => line.startsWith(at === 0 ? "  runs: true" : "    ↳ "))).toBe(true);
});

test("no command is cut: its lines put together are what it is, to the last space", () => {
  const unit = fc.constantFrom("a", "-", " ", "\\", "宽", "😀", "\u0301", "\u202e", "\u001b");
  const room = fc.record({ first: fc.integer({ min: 1, max: 60 }), rest: fc.integer({ min: 1, max: 60 }) });
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 300 }), room, (text, columns) => {
      const shown = visible(text);
      const found = pieces(shown, columns);
      expect(found.join("")).toBe(shown);
      const roomFor = (at: number) => Math.max(16, at === 0 ? columns.first : columns.rest);
      expect(found.every((piece, at) => columnsOf(piece) <= roomFor(at))).toBe(true);
    }),
  );
});

test("without a terminal a page is laid out in 80 columns, and lines of events are not cut at all", () => {
  const pipe = { env: { LANG: "de_DE.utf8" }, paint: plain };
  expect(lookOf(pipe)).toEqual(look);
  expect(linesLookOf(pipe).width).toBe(Number.POSITIVE_INFINITY);
  expect(linesLookOf({ ...pipe, columns: 40 }).width).toBe(40);
});

test("a line that is too long for the terminal is broken between words and indented; one that fits, or is in a pipe, is not", () => {
  const event = "10:00:00  01-a #1 agent stopped: crashed (exit 1)";
  expect(fitted(event, 40)).toEqual(["10:00:00  01-a #1 agent stopped: crashed", "            (exit 1)"]);
  expect(fitted("    why  it is so, at length", 24)).toEqual(["    why  it is so, at", "      length"]);
  for (const columns of [undefined, 0, 49, 200]) expect(fitted(event, columns)).toEqual([event]);
  expect(fitted("", 80)).toEqual([""]);
  // Where the indent would leave no room, it is a small one.
  expect(fitted("ok    sandbox  none at all", 20, 15)).toEqual(["ok    sandbox  none", "  at all"]);
});

test("colours have no width, and spaces at the end need no line of their own", () => {
  const red = (text: string) => `\u{1b}[31m${text}\u{1b}[39m`;
  expect(fitted(`${red("red")} ${"x".repeat(36)}`, 40)).toEqual([`${red("red")} ${"x".repeat(36)}`]);
  expect(fitted(`${red("red")} one two three four`, 16)).toEqual([`${red("red")} one two`, "  three four"]);
  expect(fitted(`a word${" ".repeat(80)}`, 40)).toEqual(["a word"]);
});

test("a command in backticks and a long word stay whole, to be copied", () => {
  expect(fitted("Answer with `stint answer a yes` now", 26)).toEqual(["Answer with", "  `stint answer a yes` now"]);
  const path = `/tmp/${"x".repeat(40)}`;
  expect(fitted(`The log is ${path} here`, 20)).toEqual(["The log is", `  ${path}`, "  here"]);
});

test("no word is lost or changed where a line is broken, and lines of several words fit", () => {
  const unit = fc.constantFrom("a", " ", "`", "宽", ":", "1");
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 200 }), fc.integer({ min: 20, max: 60 }), (text, columns) => {
      const lines = fitted(text, columns);
      const wordsOf = (line: string) => line.split(" ").filter(Boolean);
      expect(lines.flatMap(wordsOf)).toEqual(wordsOf(text));
      const isCode = (line: string) => line.includes("`");
      if (lines.length > 1)
        for (const line of lines)
          expect(columnsOf(line) <= columns || wordsOf(line).length === 1 || isCode(line)).toBe(true);
    }),
  );
});
