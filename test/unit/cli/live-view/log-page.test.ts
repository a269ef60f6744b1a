import { expect, test } from "vitest";
import { eventLines, logFrame } from "../../../../src/cli/live-view/log-page.ts";
import { plain } from "../../../../src/cli/paint.ts";
import type { RunEntry } from "../../../../src/hooks/run-entry.ts";

const size = { columns: 40, rows: 8 };
const drawing = { size, paint: plain, footer: "Esc back" };

function logOf(lines: readonly string[]) {
  return { task: "01-a", title: "Do\u{7} it", lines };
}

test("an event takes as many lines as it needs, and no more than two thousand characters", () => {
  const at = "2026-11-16T10:00:00.000Z";
  const requeued = { type: "task-requeued", task: "01-a", at } as RunEntry;
  expect(eventLines(requeued, drawing)).toEqual([expect.stringMatching(/^\d\d:\d\d:\d\d {2}01-a requeued$/)]);
  const parked = { type: "parked", reason: "blocked", why: "word ".repeat(1_000), until: null, at } as RunEntry;
  const lines = eventLines(parked, drawing);
  expect(lines.length).toBeGreaterThan(40);
  expect(lines.join("").length).toBeLessThanOrEqual(2_000);
});

test("a page has a heading, as many lines as fit, and the keys; scrolled up, it says how many are below", () => {
  const lines = Array.from({ length: 20 }, (_, at) => `line ${at}`);
  expect(logFrame(logOf(lines), { below: 3, drawing, running: "npm test, 0:10" })).toEqual([
    "Log of 01-a  Do\\u{7} it  3 more below",
    "npm test, 0:10",
    ...["line 12", "line 13", "line 14", "line 15", "line 16"],
    "Esc back",
  ]);
  expect(logFrame(logOf(["only"]), { below: 0, drawing, running: "" })).toHaveLength(size.rows);
});
