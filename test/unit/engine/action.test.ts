import { expect, test } from "vitest";
import { isObsolete, type Action } from "../../../src/engine/action.ts";
import { enter } from "../../../src/engine/state.ts";
import { spec, World } from "../../rig/world.ts";

const ofTask = (type: "baseline" | "work" | "collect"): Action => ({ type, task: "a" });
const work = ofTask("work");

function world(): World {
  const tasks = ["a", "b"].map((id) => ({ ...spec(id), claims: { paths: [id], folders: [] } }));
  return new World(tasks, { parallel: 2 });
}

test("every action is obsolete in a run that is stopped or paused", () => {
  const paused = world();
  paused.add({ type: "paused", command: "p" });
  const stopped = world();
  stopped.add({ type: "stopped", why: "interrupted" });
  for (const { state } of [paused, stopped])
    expect([work, { type: "publish" } as const].map((action) => isObsolete(state, action))).toEqual([true, true]);
  expect(isObsolete(world().state, work)).toBe(false);
});

test("a revision that changes a task ends what starts work on it, not what saves it", () => {
  const revised = world();
  const tasks = [spec("a"), spec("b")];
  const changes = [{ id: "a", change: "changed" } as const];
  revised.add({ type: "revision-accepted", revision: 1, commit: "r", planHash: "h2", tasks, changes, by: "Ada" });
  const is = (action: Action) => isObsolete(revised.state, action);
  expect([ofTask("baseline"), work, ofTask("collect")].map(is)).toEqual([true, true, false]);
  expect(is({ type: "work", task: "b" })).toBe(false);
  expect(is({ type: "adopt", revision: 1, commit: "r" })).toBe(false);
  expect(is({ type: "adopt", revision: 2, commit: "r" })).toBe(true);
});

test("verifying is obsolete once the commit to land on is another one", () => {
  const moved = world();
  for (const task of ["a", "b"]) {
    const of = { task, attempt: 1 };
    moved.add({ type: "attempt-started", ...of, base: "base", role: "executor" });
    moved.add({ type: "candidate-made", ...of, commit: `c-${task}`, paths: [task], pathCount: 1, diff: `d-${task}` });
  }
  moved.add({ type: "placed", task: "a", attempt: 1, tip: "base", commit: "p-a", tree: "t" });
  const verify = { type: "verify", task: "b", onto: "p-a" } as const;
  expect(isObsolete(moved.state, verify)).toBe(false);
  const failed = { result: "failed", reason: "check", why: "no", placed: null, guards: [], checks: [] } as const;
  moved.add({ type: "verdict", task: "a", attempt: 1, tip: "base", ...failed });
  expect(isObsolete(moved.state, verify)).toBe(true);
});

test("final checks and tracing are obsolete unless all work has landed", () => {
  const { state } = world();
  const final: readonly Action[] = [{ type: "final-verify" }, { type: "bisect" }];
  expect(final.map((action) => isObsolete(state, action))).toEqual([true, true]);
  for (const id of ["a", "b"]) enter(state, id, "integrated");
  expect(final.map((action) => isObsolete(state, action))).toEqual([false, false]);
});
