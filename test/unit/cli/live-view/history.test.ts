import { expect, test } from "vitest";
import { addEvent, emptyHistory } from "../../../../src/cli/live-view/history.ts";
import { cliLimits } from "../../../../src/cli/limits.ts";
import type { RunEntry } from "../../../../src/hooks/run-entry.ts";

const begun = Date.parse("2026-11-16T10:00:00.000Z");

/** The history of events that happened a minute after one another. */
function historyOf(events: readonly object[]) {
  const record = emptyHistory();
  events.forEach((event, minute) => {
    addEvent(record, { ...event, at: new Date(begun + minute * 60_000).toISOString() } as RunEntry);
  });
  return record;
}

const starts = (task: string, attempt = 1) => ({ type: "attempt-started", task, attempt });
const lands = (task: string, commit = "c") => ({ type: "task-integrated", task, commit });

test("a task that landed took the time of its last attempt, and is no longer running", () => {
  const record = historyOf([starts("a"), starts("b"), starts("a", 2), lands("a")]);
  expect(record).toMatchObject({ begun, last: begun + 180_000 });
  expect(record.finished).toEqual([{ task: "a", commit: "c", tookMs: 60_000 }]);
  expect([...record.attempts.keys()]).toEqual(["b"]);
});

test("a task that was green before any work has no commit; one that lands again is listed once, as the newest", () => {
  const green = { type: "baseline", task: "b", attempt: 1, state: "green" };
  const record = historyOf([starts("a"), lands("a", "c1"), starts("b"), green, starts("a", 2), lands("a", "c2")]);
  expect(record.finished.map(({ task, commit }) => [task, commit])).toEqual([
    ["b", null],
    ["a", "c2"],
  ]);
});

test("however many tasks land, only the latest are kept", () => {
  const { viewRowsMax } = cliLimits;
  const { finished } = historyOf(Array.from({ length: viewRowsMax + 5 }, (_, at) => lands(`t${at}`)));
  expect([finished.length, finished[0]?.task]).toEqual([viewRowsMax, "t5"]);
});
