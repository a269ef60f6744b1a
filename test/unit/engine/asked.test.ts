import { expect, test } from "vitest";
import { stillAsked } from "../../../src/engine/asked.ts";
import type { Action } from "../../../src/engine/action.ts";
import type { RunEvent } from "../../../src/engine/events.ts";
import { exitCode } from "../../../src/engine/exit-code.ts";
import type { RunState } from "../../../src/engine/state.ts";
import { honest, settings, spec, World } from "../../rig/world.ts";
import { of, submit, taken } from "../../rig/by-hand-world.ts";

function resumed(only: readonly string[] | null): RunEvent {
  return { type: "resumed", why: "driver-started", pid: 1, settings: { ...settings, only } };
}

test("with tasks asked for, those and no others are done; the run rests with 0, and resumes with all", () => {
  const world = new World([spec("a"), spec("b", ["a"]), spec("c")], { only: ["a", "b"] });
  world.go(honest());
  expect(world.state.parked).toEqual({ reason: "rest", why: "not asked for: c", until: null });
  expect(exitCode(world.state)).toBe(0);
  world.add(resumed(stillAsked(world.state)));
  world.go(honest());
  expect(world.state.finished).toBe("done");
});

test("a task asked for whose checks were green before any work proves nothing: the run rests with 3, as a whole plan ends", () => {
  const world = new World([spec("a"), spec("c")], { only: ["a"] });
  const script = honest();
  world.go((action, state) => {
    const event = script(action, state);
    return event.type === "baseline" ? { ...event, state: "green" } : event;
  });
  expect(world.state.parked).toMatchObject({ reason: "rest", why: "not asked for: c" });
  expect(exitCode(world.state)).toBe(3);
});

test("the last task asked for is done, but the plan is not green and its culprit was not asked for: 4, not 0", () => {
  const red = { key: "k", label: "npm test", state: "red", why: "exit 1", tail: "", durationMs: 1 } as const;
  const culprit = { key: "k", label: "npm test", task: "a", commit: "p-a", why: "red since a" };
  const script = honest();
  const choose = (action: Action, state: RunState): RunEvent => {
    if (action.type === "bisect") return { type: "bisected", tip: state.tip, regressions: [culprit] };
    const isMended = state.landed.filter(({ task }) => task === "a").length > 1;
    if (action.type !== "final-verify" || isMended) return script(action, state);
    return { type: "final-verified", tip: state.tip, ok: false, checks: [red], tree: `tree of ${state.tip}` };
  };
  const world = new World([spec("a"), spec("b")], { only: ["a"] });
  world.go(choose);
  expect(exitCode(world.state)).toBe(0);
  world.add(resumed(["b"]));
  world.go(choose);
  const why = "not green on the final tip: npm test (red since a); not asked for: a";
  expect(world.state.parked).toEqual({ reason: "final-red", why, until: null });
  expect(exitCode(world.state)).toBe(4);
  world.add(resumed(["b"]));
  world.go(choose);
  expect(exitCode(world.state)).toBe(4);
  expect(world.state.landed).toHaveLength(2);

  world.add(resumed(stillAsked(world.state)));
  world.go(choose);
  expect([world.state.finished, exitCode(world.state)]).toEqual(["done", 0]);
});

test("a cap that only what was not asked for has reached is no reason to end with 5", () => {
  const world = new World([spec("a"), spec("c")], { only: ["a"], budgetUsd: 0.5 });
  world.go(honest());
  expect(world.state.parked?.reason).toBe("rest");
  const capped = new World([spec("a"), spec("c")], { only: ["a"], taskUsd: 0.5 });
  capped.go(honest(() => ({ kind: "crashed", detail: "" })));
  expect(capped.state.parked).toMatchObject({ reason: "budget" });
});

test("what a driver that died had begun waits again, where it is not asked for now, and blocks nobody's files", () => {
  const world = new World([spec("a"), spec("b")]);
  world.add({ type: "attempt-started", ...of("a"), base: "base", role: "executor" });
  world.add(resumed(["b"]));
  world.go(honest());
  expect([...world.state.tasks.values()].map(({ phase }) => phase)).toEqual(["pending", "integrated"]);
  world.add(resumed(null));
  world.go(honest());
  expect(exitCode(world.state)).toBe(0);
});

test("a run resumes with what was asked for, until that is done or taken by a person", () => {
  const world = new World([spec("a"), spec("b")], { only: ["a"] });
  expect(stillAsked(world.state)).toEqual(["a"]);
  taken(world);
  expect(stillAsked(world.state)).toBe(null);
  expect(stillAsked(new World([spec("a")]).state)).toBe(null);
  expect(stillAsked(new World([spec("a")], { only: [] }).state)).toBe(null);
});

test("work by hand with no driver does not make one task that was asked for a whole plan", () => {
  const world = new World([spec("a"), spec("b"), spec("c")], { only: ["b"] });
  world.add(resumed([]));
  taken(world);
  submit(world);
  expect(stillAsked(world.state)).toEqual(["b"]);
  world.add(resumed(stillAsked(world.state)));
  world.go(honest());
  expect(world.state.parked).toMatchObject({ reason: "rest", why: "not asked for: c" });
  expect(stillAsked(world.state)).toBe(null);
});
