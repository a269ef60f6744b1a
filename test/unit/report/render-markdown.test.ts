import { expect, test } from "vitest";
import { renderMarkdown } from "../../../src/report/render-markdown.ts";
import { localStamp } from "../../../src/base/local-time.ts";
import { reportOf } from "../../../src/report/report-of.ts";
import { factsOf, journaled } from "../../rig/report.ts";
import { spec, World, usage } from "../../rig/world.ts";
import type { RunEvent } from "../../../src/engine/events.ts";
import { reportLimits } from "../../../src/report/limits.ts";
import type { Entry } from "../../../src/report/model.ts";
import { renderTimeline } from "../../../src/report/render-timeline.ts";

const world = new World([spec("a")]);
world.events.push({ type: "attempt-started", task: "a", attempt: 1, base: "base", role: "executor" });
world.events.push({ type: "task-blocked", task: "a", attempt: 1, kind: "exhausted", why: "it crashed: exit 1" });
const entries = journaled(world.events);
const report = reportOf(entries, factsOf(entries));

test("why a task is blocked is a sentence of its own, before what to do", () => {
  expect(renderMarkdown(report)).toContain(
    "- Task a is blocked: it crashed: exit 1. See the evidence; then give it new attempts, or do it yourself.\n",
  );
});

test("a moment without a driver is no wait; a second is, and so is a death, and whatever a person or a limit caused", () => {
  const undriven = { kind: "undriven", why: "not running", from: 0 };
  const waits = [
    { ...undriven, to: 999 },
    { ...undriven, to: 1000 },
    { ...undriven, why: "the run's process died; not running", to: 1 },
    { kind: "limit", why: "the usage limit", from: 0, to: 10 },
    { kind: "paused", why: "paused by a person", from: 0, to: 20 },
  ];
  const lines = renderMarkdown({ ...report, waits }).split("\n");
  const at = lines.indexOf("## Waits");
  expect(lines.slice(at + 2, at + 7).map((line) => line.replace(/`.*?` [\d.]+ s/, "when"))).toEqual([
    "- when: not running",
    "- when: the run's process died; not running",
    "- when: limit: the usage limit",
    "- when: paused by a person",
    "",
  ]);
  expect(renderMarkdown({ ...report, waits: waits.slice(0, 1) })).not.toContain("## Waits");
});

test("A run whose plan was not revised does not mention revisions.", () => {
  expect(renderMarkdown(report)).not.toMatch(/revision/i);
});

const long = "x".repeat(1_000);
const check = { label: long, state: "red", why: long, tail: `${long}\n`.repeat(3), durationMs: 1 } as const;

/** Each task fails with a long reason and is blocked. */
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

test("a handful of tasks is shown whole: nothing is left out and nothing is merged", () => {
  const entries = failing(5);
  const report = reportOf(entries, factsOf(entries));
  const markdown = renderMarkdown(report);
  expect(markdown).not.toMatch(/more tasks are left out|…and/);
  expect(renderTimeline(report)).toContain(`from ${localStamp(report.time.startedAt)}<`);
  const shown = renderTimeline(report).match(/<title>t\d, attempt 1: failed/g);
  expect(shown).toHaveLength(5);
});
