import { expect, test } from "vitest";
import { logFrame, logLines, type TaskLog } from "../../../../src/cli/live-view/log-page.ts";
import { plain } from "../../../../src/cli/paint.ts";
import type { RunEntry } from "../../../../src/hooks/run-entry.ts";
import { journalStart } from "../../../../src/journal/scan.ts";

const size = { columns: 40, rows: 8 };
const drawing = { size, paint: plain, footer: "Esc back" };

function logOf(text: string, isWhole = true): TaskLog {
  const requeued = { type: "task-requeued", task: "01-a", at: "2026-11-16T10:00:00.000Z" } as RunEntry;
  return {
    task: "01-a",
    title: "Do\u{7} it",
    entries: [requeued],
    cursor: journalStart,
    output: { attempt: 2, text, isWhole },
  };
}

test("events come first, then the output, neutralised, wrapped and without the empty lines at its end", () => {
  const lines = logLines(logOf(`\u{1b}[2Jbuilt\n${"word ".repeat(10)}\n\n\n`), drawing);
  expect(lines[0]).toMatch(/^\d\d:\d\d:\d\d {2}01-a requeued$/);
  expect(lines.slice(1)).toEqual([
    "",
    "Output of attempt 2",
    "\\u{1b}[2Jbuilt",
    "word word word word word word word word",
    "word word ",
  ]);
});

test("an attempt that printed nothing has no output, and one whose beginning is missing says so", () => {
  expect(logLines(logOf(" \n"), drawing)).toHaveLength(1);
  expect(logLines(logOf("x", false), drawing)).toContain("End of the output of attempt 2");
});

test("a page has a heading, as many lines as fit, and the keys; scrolled up, it says how many are below", () => {
  const lines = Array.from({ length: 20 }, (_, at) => `line ${at}`);
  expect(logFrame(logOf(""), { lines, below: 3, drawing })).toEqual([
    "Log of 01-a  Do\\u{7} it  3 more below",
    "",
    ...["line 12", "line 13", "line 14", "line 15", "line 16"],
    "Esc back",
  ]);
  expect(logFrame(logOf(""), { lines: ["only"], below: 0, drawing })).toHaveLength(size.rows);
});
