import { expect, test } from "vitest";
import type { TaskSpec } from "../../../src/engine/events.ts";
import { summarise } from "../../../src/engine/summary.ts";
import { spec, World } from "../../rig/world.ts";

function task(id: string, files: readonly string[], depends: readonly string[] = []): TaskSpec {
  return spec(id, depends, { create: [...files], modify: [], delete: [], touch: [] });
}

function reasons(world: World): Record<string, string | null> {
  return Object.fromEntries(summarise(world.state, true).tasks.map(({ id, reason }) => [id, reason]));
}

function start(world: World, id: string, attempt = 1) {
  world.add({ type: "attempt-started", task: id, attempt, base: world.state.tip, role: "executor" });
}

function candidate(world: World, id: string) {
  const of = { task: id, attempt: 1 };
  const usage = { inputTokens: 0, outputTokens: 0, usd: 0 };
  const finished = { outcome: { kind: "ok" }, report: null, reportProblem: null, usage } as const;
  world.add({ type: "agent-finished", ...of, ...finished });
  world.add({ type: "candidate-made", ...of, commit: `c-${id}`, paths: [], pathCount: 0, diff: id });
}

test("a task that is ready says whom it waits for: one that may touch the same file, or any running one", () => {
  const tasks = [task("a", ["src/a.ts"]), task("b", ["src/a.ts"]), task("c", ["c"]), task("d", ["d"])];
  const world = new World(tasks, { parallel: 2 });
  start(world, "a");
  start(world, "c");
  expect(reasons(world)).toEqual({
    a: null,
    b: "waits for a: both may touch src/a.ts",
    c: null,
    d: "waits for a running task to finish",
  });
});

test("dependants of a blocked task say so, also those behind others", () => {
  const world = new World([task("a", ["a"]), task("b", ["b"], ["a"]), task("c", ["c"], ["b"]), task("d", ["d"])]);
  start(world, "a");
  world.add({ type: "task-blocked", task: "a", attempt: 1, kind: "reported-infeasible", why: "no such service" });
  expect(reasons(world)).toEqual({
    a: "no such service",
    b: "waits for a (blocked)",
    c: "waits for b (held up by a, which is blocked)",
    d: null,
  });
});

test("a candidate says after whom it lands, and what is known of it already", () => {
  const world = new World([task("a", ["a"]), task("b", ["b"]), task("c", ["c"])], { parallel: 3 });
  for (const id of ["a", "b", "c"]) start(world, id);
  for (const id of ["a", "b", "c"]) candidate(world, id);
  world.add({ type: "placed", task: "a", attempt: 1, tip: "base", commit: "a1", tree: "ta" });
  const of = { task: "b", attempt: 1, tip: "a1" };
  const red = { result: "failed", reason: "check", why: "red: x", placed: null, guards: [], checks: [] } as const;
  world.add({ type: "verdict", ...of, ...red });
  expect(reasons(world)).toEqual({
    a: null,
    b: "failed on top of a, which has not landed: red: x",
    c: "lands after b",
  });
});

test("a conflict is called one", () => {
  const world = new World([task("a", ["a"])]);
  start(world, "a");
  candidate(world, "a");
  const met = { result: "conflict", reason: "conflict", why: "b changed the same lines of a" } as const;
  world.add({ type: "verdict", task: "a", attempt: 1, tip: "base", ...met, placed: null, guards: [], checks: [] });
  expect(reasons(world)["a"]).toBe("attempt 1 had a conflict: b changed the same lines of a");
});
