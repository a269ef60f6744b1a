import { expect, test } from "vitest";
import { reportOf } from "../../../src/report/report-of.ts";
import { factsOf, journaled } from "../../rig/report.ts";
import { spec, World } from "../../rig/world.ts";

test("A conflict, a requeue and an answer are listed with their task; a later attempt that lands is what proves it.", () => {
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
