import { expect, test } from "vitest";
import type { RunEvent } from "../../../src/engine/events.ts";
import { reportLimits } from "../../../src/report/limits.ts";
import type { Entry } from "../../../src/report/model.ts";
import { renderMarkdown } from "../../../src/report/render-markdown.ts";
import { renderTimeline, lanesOf } from "../../../src/report/render-timeline.ts";
import { reportOf } from "../../../src/report/report-of.ts";
import { factsOf, journaled } from "../../rig/report.ts";
import { spec, usage, World } from "../../rig/world.ts";

const long = "x".repeat(1_000);
const check = { label: long, state: "red", why: long, tail: `${long}\n`.repeat(3), durationMs: 1 } as const;

/** Each task fails with much to say for itself and is blocked; `at` says how many go on side by side. */
function failing(count: number): Entry[] {
  const tasks = Array.from({ length: count }, (_, at) => ({
    ...spec(`t${at}`),
    title: long,
    claims: { paths: [`${at}`], folders: [] },
  }));
  const { events } = new World(tasks);
  const all: RunEvent[] = [...events];
  for (const { id: task } of tasks) {
    const of = { task, attempt: 1 };
    all.push({ type: "attempt-started", ...of, base: "base", role: "executor" });
    const session = { outcome: { kind: "ok" }, report: null, reportProblem: null, usage } as const;
    all.push({ type: "agent-finished", ...of, ...session });
    const failed = { result: "failed", reason: "check", why: long, tip: "base", placed: null, guards: [] } as const;
    all.push({ type: "verdict", ...of, ...failed, checks: [check] });
    all.push({ type: "task-blocked", ...of, kind: "exhausted", why: long });
  }
  return journaled(all);
}

test("two thousand tasks that failed at length make a report that can be opened, and it says what was left out", () => {
  const entries = failing(2_000);
  const report = reportOf(entries, factsOf(entries));
  const markdown = renderMarkdown(report);
  expect(markdown.length).toBeLessThan(reportLimits.reportCharsMax);
  expect(markdown).toMatch(/^\.{0,3}…and \d+ more: `stint status` shows them\.$/m);
  expect(markdown).toMatch(/^Details of \d+ more tasks are left out: `stint log <task>` shows them\.$/m);
  expect(markdown.split("\n")[2]).toContain("None of the 2000 tasks is done yet; 2000 are blocked and need you");
  const svg = renderTimeline(report);
  expect(svg.length).toBeLessThan(1_000_000);
  expect(svg).toMatch(/<title>\d+ attempts, t\d+ to t\d+; the worst: failed/);
});

test("a handful of tasks is told whole: nothing is left out and nothing is merged", () => {
  const entries = failing(5);
  const report = reportOf(entries, factsOf(entries));
  const markdown = renderMarkdown(report);
  expect(markdown).not.toMatch(/more tasks are left out|…and/);
  const shown = renderTimeline(report).match(/<title>t\d, attempt 1: failed/g);
  expect(shown).toHaveLength(5);
});

test("attempts at the same time lie in lanes of their own, those one after another in the same", () => {
  const attempt = (from: number, to: number) => ({
    spans: [{ kind: "session", from, to }],
    outcome: "integrated",
    why: "",
  });
  const tasks = [
    { id: "a", attempts: [attempt(0, 10), attempt(30, 40)] },
    { id: "b", attempts: [attempt(5, 20)] },
    { id: "c", attempts: [attempt(20, 25)] },
  ];
  const lanes = lanesOf({ tasks } as unknown as Parameters<typeof lanesOf>[0], 1);
  expect(lanes.map((lane) => lane.map(({ label, from }) => `${label} ${from}`))).toEqual([
    ["a 0", "c 20", "a 30"],
    ["b 5"],
  ]);
});

test("more attempts at once than a picture has lanes share the last one, and no bar lies over another", () => {
  const count = reportLimits.timelineLanesMax + 20;
  const tasks = Array.from({ length: count }, (_, at) => ({
    id: `t${at}`,
    attempts: [
      { spans: [{ kind: "session", from: at, to: 1_000 + at }], outcome: at === 30 ? "failed" : "integrated", why: "" },
    ],
  }));
  const lanes = lanesOf({ tasks } as unknown as Parameters<typeof lanesOf>[0], 1);
  expect(lanes).toHaveLength(reportLimits.timelineLanesMax);
  expect(lanes.at(-1)).toMatchObject([{ count: 21, outcome: "failed" }]);
});
