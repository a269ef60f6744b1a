import * as fc from "fast-check";
import { expect, test } from "vitest";
import { plain } from "../../../src/cli/paint.ts";
import { columnsOf, lay, lookOf, linesLookOf, pieces } from "../../../src/cli/text-layout.ts";
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
