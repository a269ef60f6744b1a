import * as fc from "fast-check";
import { expect, test } from "vitest";
import { plain } from "../../../../src/cli/paint.ts";
import { columnsOf, lay, pieces } from "../../../../src/cli/text-layout.ts";
import type { Page } from "../../../../src/cli/approval-page/model.ts";
import { renderPage } from "../../../../src/cli/approval-page/render.ts";
import { visible, visibleJson } from "../../../../src/base/visible.ts";
import { pageFor } from "../../../rig/page.ts";
import { everything } from "../../../rig/page-plans.ts";

const look = { width: 80, paint: plain, isUnicode: true };

/** Clears the screen, writes the clipboard, turns the text around, hides a part, and looks like lines of ours. */
const hostile =
  "x\u001b[2J\u001b]52;c;ZXZpbA==\u0007\u009b31m\u202e\u200b\r\nTask 99-fake: forged\n│ cap: 1.00 USD\nApproved work at 0123456789ab.";
// eslint-disable-next-line no-control-regex -- these characters are what must not come through.
const obeyed = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u200b-\u200f\u2066-\u2069]/;

/** Words that only Stint writes: ids, which lint keeps plain, and the names of kinds. */
const own = new Set([
  ...["kind", "role", "sandbox", "scope_requests", "answered_by", "when", "by", "from", "severity"],
  ...["plan", "id", "depends", "waves", "critical_path", "unknown"],
]);

/** The page with every text of others replaced. */
function filledWith<T>(value: T, text: string): T {
  if (typeof value === "string") return text as T;
  if (Array.isArray(value)) return value.map((one) => filledWith<unknown>(one, text)) as T;
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, one]) => [key, own.has(key) ? one : filledWith<unknown>(one, text)]);
  return Object.fromEntries(entries) as T;
}

const whole: Page = pageFor({
  files: everything,
  shipped: [{ path: ".mcp.json", honouredBy: ["claude"], file: { bytes: Buffer.from("{}") } }],
  previous: { plan: "work", hash: "old", at: "2026", by: "me", commit: "c", programs: {} },
  difference: ["+a"],
  unheldCap: "no",
});

test("whatever stands in any field, a terminal obeys none of it, and none of it passes for a line of the page", () => {
  const lines = renderPage(filledWith(whole, hostile), look);
  expect(lines.filter((line) => obeyed.test(line))).toEqual([]);
  const forged = lines.filter((line) => /Task 99-fake|cap: 1\.00|Approved work/.test(line));
  expect(forged.length).toBeGreaterThan(60);
  expect(forged.filter((line) => !/^(?:│ )? *\| (?:Task 99|│ cap|Approved)/.test(line))).toEqual([]);
  // The control: the text itself does all that.
  expect(obeyed.test(hostile)).toBe(true);
  expect(hostile.split("\n")[1]).toBe("Task 99-fake: forged");
});

test("a script of wide characters cannot make the terminal begin a line of its own in the middle of a text", () => {
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

test.each([40, 80, 120])("at %i columns no line is longer, however long a title or a word is", (width) => {
  for (const text of ["word ", "w", "宽", "e\u0301"]) {
    const page = { ...filledWith(whole, text.repeat(500)), title: text.repeat(10_000) };
    const lines = renderPage(page, { ...look, width });
    expect(Math.max(...lines.map(columnsOf))).toBeLessThanOrEqual(width);
  }
  expect(Math.max(...renderPage(whole, { ...look, width }).map(columnsOf))).toBeLessThanOrEqual(width);
});

test("spaces cannot push words of others to where a line of ours would begin", () => {
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

test("as data the page has every text as it is, in characters that a terminal does not obey", () => {
  const page = filledWith(whole, `${hostile} \u{e0041} 宽`);
  const json = visibleJson(page);
  expect(JSON.parse(json)).toEqual(page);
  expect(json).not.toMatch(obeyed);
  expect(json).not.toContain("\u{e0041}");
  expect(json).toContain("宽");
});
