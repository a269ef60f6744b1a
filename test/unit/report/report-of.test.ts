import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Entry } from "../../../src/report/model.ts";
import { renderMarkdown } from "../../../src/report/render-markdown.ts";
import { renderTimeline } from "../../../src/report/render-timeline.ts";
import { reportOf } from "../../../src/report/report-of.ts";
import { factsOf, journaled } from "../../rig/report.ts";
import { settings, spec, usage, World } from "../../rig/world.ts";

const folder = "test/fixtures/journals-2026-11-16";

function entriesOf(file: string): Entry[] {
  const lines = readFileSync(join(folder, file), "utf8").trimEnd().split("\n");
  return lines.map((line) => JSON.parse(line) as Entry);
}

/** The first paragraph of each, as its run stood. */
const verdicts: Record<string, string> = {
  "by-hand.jsonl": "Both tasks are verified on stint/work. The final checks passed. 40 s, cost not reported.",
  "commands.jsonl": "The task is verified on stint/work. The final checks passed. 24 s, cost not reported.",
  "deferred.jsonl": "Both tasks are verified on stint/work. The final checks passed. 20 s, cost not reported.",
  "judge.jsonl": "The task is verified on stint/work. The final checks passed. 16 s, 0.75 USD.",
  "push.jsonl": "Both tasks are verified on stint/work. The final checks passed. 25 s, cost not reported.",
  "question.jsonl": "The task is verified on stint/work. The final checks passed. 37 s, cost not reported.",
  "replan.jsonl":
    "All 3 tasks are verified on stint/p. The final checks passed. 6 m 22 s, 0.78 USD of 50.00, plus 3.8k unpriced tokens.",
  "requeued.jsonl": "The task is not done yet; 1 has not started. Not running (interrupted). 25 s, cost not reported.",
  "scope.jsonl": "Both tasks are verified on stint/work. The final checks passed. 16 s, cost not reported.",
  "work-lost.jsonl": "Both tasks are verified on stint/work. The final checks passed. 22 s, cost not reported.",
};

test("Every journal of earlier releases is told, each with the verdict of how its run stood.", () => {
  const told = Object.fromEntries(
    readdirSync(folder).map((file) => {
      const entries = entriesOf(file);
      const report = reportOf(entries, factsOf(entries));
      expect(renderMarkdown(report)).toContain("## Commands");
      expect(renderTimeline(report)).toContain("</svg>");
      return [file, report.verdict];
    }),
  );
  expect(told).toEqual(verdicts);
});

/** Reports of journals that end before their run did: what a run with failed attempts waits for, and what a kill left behind. */
test.each([
  ["replan.jsonl", 41, "test/fixtures/report-proposal.md"],
  ["work-lost.jsonl", 17, "test/fixtures/report-killed.md"],
])("A whole report of %s after %i events.", async (file, count, expected) => {
  const entries = entriesOf(file).slice(0, count);
  const report = renderMarkdown(reportOf(entries, factsOf(entries)));
  await expect(report).toMatchFileSnapshot(join(process.cwd(), expected));
});

test("Whoever makes the report, and however often, it says the same; a part of the journal tells what was known then.", () => {
  const entries = entriesOf("by-hand.jsonl");
  expect(reportOf(entries, factsOf(entries))).toEqual(reportOf(entries, factsOf(entries)));
  for (let count = 2; count <= entries.length; count += 1) {
    const report = reportOf(entries.slice(0, count), factsOf(entries));
    expect(renderMarkdown(report)).toContain(report.run);
    for (const { attempts } of report.tasks)
      for (const { durationMs } of attempts) expect(durationMs).toBeGreaterThanOrEqual(0);
  }
});

test("An hour in which nobody drove the run is no work of the session that died, and is told as a wait.", () => {
  const world = new World([spec("a")]);
  world.add({ type: "attempt-started", task: "a", attempt: 1, base: "base", role: "executor" });
  const process = { pid: 1, startTime: "", bootId: "" };
  world.add({ type: "agent-started", task: "a", attempt: 1, process, marker: "" });
  world.add({ type: "command-ignored", command: "c", kind: "pause", why: "too late" });
  const died = world.events.length;
  world.add({ type: "resumed", why: "driver-started", pid: 2, settings });
  const outcome = { kind: "interrupted", detail: "Stint ended" } as const;
  const ended = { task: "a", attempt: 1, outcome, report: null, reportProblem: null, usage };
  world.add({ type: "agent-finished", ...ended });
  const entries = journaled(world.events).map((entry, at) =>
    at < died ? entry : { ...entry, epoch: 2, at: new Date(Date.parse(entry.at) + 3_600_000).toISOString() },
  );

  const { waits, time, tasks, journal } = reportOf(entries, factsOf(entries));

  const [from, to] = [3_000, 3_604_000];
  expect(waits).toEqual([{ kind: "undriven", why: "the run's process died; not running", from, to }]);
  expect(time).toMatchObject({ wallMs: 3_605_000, waitedMs: to - from, agentMs: 2_000 });
  expect(tasks[0]?.attempts).toMatchObject([{ outcome: "ended", why: "interrupted: Stint ended", sessionMs: 2_000 }]);
  expect(journal).toEqual({ events: 6, takeovers: 1, repairs: [], ignoredCommands: ["pause: too late"] });
});

test("A conflict, a requeue and an answer are told with their task; a later attempt that lands is what proves it.", () => {
  const world = new World([spec("a")]);
  const of = (attempt: number) => ({ task: "a", attempt });
  const check = { key: "k", label: "npm test", state: "green", why: "exit 0", tail: "", durationMs: 1 } as const;
  const tests = [{ runner: "vitest", run: 12, skipped: 1, groups: {} } as const];
  const verdict = { type: "verdict", reason: null, tip: "base", guards: [] } as const;
  world.add({ type: "attempt-started", ...of(1), base: "base", role: "executor" });
  world.add({ type: "baseline", ...of(1), state: "red", why: "", checks: [{ ...check, state: "red", why: "exit 1" }] });
  world.add({ type: "candidate-made", ...of(1), commit: "c1", paths: ["x"], pathCount: 1, diff: "d" });
  world.add({ ...verdict, ...of(1), result: "conflict", why: "b changed x", placed: null, checks: [], with: ["b"] });
  world.add({ type: "task-blocked", ...of(1), kind: "conflicts", why: "too often" });
  world.add({ type: "task-requeued", task: "a", command: "x" });
  world.add({ type: "attempt-started", ...of(2), base: "base", role: "escalation" });
  world.add({ ...verdict, ...of(2), result: "passed", why: "", placed: "p", checks: [{ ...check, tests }] });
  world.add({ type: "integrating", ...of(2), old: "base", new: "p" });
  world.add({ type: "task-integrated", ...of(2), commit: "p" });
  const entries = journaled(world.events);

  const [task] = reportOf(entries, factsOf(entries)).tasks;

  expect(task).toMatchObject({
    state: "integrated",
    commits: ["p"],
    notes: ["requeued by a person"],
    attempts: [
      {
        outcome: "conflict",
        why: "b changed x",
        rescue: "git fetch /repo/.git/stint/control.git refs/stint/rescue/r/a/1",
      },
      { outcome: "integrated", role: "escalation", rescue: null },
    ],
    checks: [{ label: "npm test", words: "red before (exit 1) → green after; 12 tests of vitest, 1 skipped" }],
  });
});

test("A clock that was set back in the middle makes no time negative.", () => {
  const entries = entriesOf("by-hand.jsonl").map((entry, at) =>
    at < 20 ? entry : { ...entry, at: new Date(Date.parse(entry.at) - 3_600_000).toISOString() },
  );
  const { time, tasks } = reportOf(entries, factsOf(entries));
  expect(time.wallMs).toBeGreaterThan(0);
  const times = tasks.flatMap(({ attempts }) =>
    attempts.flatMap(({ spans }) => spans.map(({ from, to }) => to - from)),
  );
  expect(Math.min(...times)).toBeGreaterThanOrEqual(0);
});
