import { expect, test } from "vitest";
import { isObsolete, type Action } from "../../../src/engine/action.ts";
import { decide } from "../../../src/engine/decide.ts";
import type { CheckEvidence, Regression } from "../../../src/engine/evidence.ts";
import type { RunEvent } from "../../../src/engine/events.ts";
import { exitCode } from "../../../src/engine/exit-code.ts";
import { taskOf, type RunState } from "../../../src/engine/state.ts";
import { summarise } from "../../../src/engine/summary.ts";
import { engineLimits } from "../../../src/engine/limits.ts";
import { honest, settings, spec, World } from "../../rig/world.ts";

const red: CheckEvidence = { key: "k", label: "npm test", state: "red", why: "exit 1", tail: "boom", durationMs: 1 };
const green: CheckEvidence = { ...red, state: "green", why: "exit 0", tail: "" };
const byB: Regression = { key: "k", label: "npm test", task: "b", commit: "p-b", why: "red since b" };
const byNobody: Regression = { key: "k", label: "npm test", task: null, commit: null, why: "red on the base" };
const resumed: RunEvent = { type: "resumed", why: "driver-started", pid: 1, settings };

interface Plot {
  /** What the final checks show, one list per time they are run; the last one stays. */
  readonly finals: readonly (readonly CheckEvidence[])[];
  readonly culprit?: Regression;
  readonly outcome?: Parameters<typeof honest>[0];
}

/** An honest world in which the final checks and their tracing go as plotted. */
function plotted({ finals, culprit = byB, outcome }: Plot) {
  const script = honest(outcome);
  let turn = 0;
  return (action: Action, state: RunState): RunEvent => {
    if (action.type === "bisect") return { type: "bisected", tip: state.tip, regressions: [culprit] };
    if (action.type !== "final-verify") return script(action, state);
    const checks = finals[Math.min(turn++, finals.length - 1)] ?? [];
    const ok = checks.every((check) => check.state === "green");
    return { type: "final-verified", tip: state.tip, tree: `tree of ${state.tip}`, ok, checks };
  };
}

function count(world: World, type: RunEvent["type"]): number {
  return world.events.filter((event) => event.type === type).length;
}

test("the task that turned a check red is reopened on the tip, gets the red output, and lands once more", () => {
  const world = new World([spec("a"), spec("b"), spec("c", ["b"])]);
  world.go(plotted({ finals: [[red], [green]] }));
  expect(exitCode(world.state)).toBe(0);
  const landed = world.state.landed.map(({ task }) => task);
  expect(landed).toEqual(["b", "a", "c", "b"]);
  const second = world.events.findLast((event) => event.type === "attempt-started");
  expect(second).toMatchObject({ task: "b", attempt: 2, base: world.state.landed[2]?.commit });
  expect(taskOf(world.state, "b").regressions).toEqual([]);
  expect(world.state.counts).toEqual({ integrated: 3, satisfied: 0, blocked: 0 });
});

test("while it fixes a regression, a reopened task carries the regression, its red output and a reason for people", () => {
  const world = new World([spec("a"), spec("b")]);
  const script = plotted({ finals: [[red]] });
  world.go((action, state) => {
    const event = script(action, state);
    return action.type === "work" && taskOf(state, "b").reopens > 0 ? { type: "stopped", why: "look" } : event;
  });
  const task = taskOf(world.state, "b");
  expect(task.regressions).toEqual([byB]);
  expect(task.feedback).toEqual({ attempt: 1, reason: "regression", why: "red since b", guards: [], checks: [red] });
  expect([task.spent, task.conflicts]).toEqual([0, 0]);
});

test("a check that no task turned red reopens nobody: the run waits with 4 and says why", () => {
  const world = new World([spec("a"), spec("b")]);
  world.go(plotted({ finals: [[red]], culprit: byNobody }));
  expect(exitCode(world.state)).toBe(4);
  expect(world.state.parked).toMatchObject({
    reason: "final-red",
    why: "not green on the final tip: npm test (red on the base)",
  });
  expect(count(world, "task-reopened")).toBe(0);
});

test("a reopened task that uses up its attempts leaves a branch that is not green: 4, naming task and check", () => {
  const world = new World([spec("a"), spec("b")]);
  const outcome = (task: string, attempt: number) =>
    task === "b" && attempt > 1 ? ({ kind: "crashed", detail: "exit 1" } as const) : ({ kind: "ok" } as const);
  world.go(plotted({ finals: [[red]], outcome }));
  expect(exitCode(world.state)).toBe(4);
  expect(world.state.parked?.why).toBe(
    "not green on the final tip: npm test (red since b; b could not fix it: 3 of 3 attempts failed; the last: the session crashed: exit 1)",
  );
  expect(count(world, "final-verified")).toBe(1);
  expect(summarise(world.state, false).tasks[1]).toMatchObject({ id: "b", state: "blocked" });
});

test("a regression that is not fixed is asked again on resume, traced only once, and forgotten where it is green", () => {
  const world = new World([spec("a"), spec("b")]);
  const outcome = (task: string, attempt: number) =>
    task === "b" && attempt > 1 ? ({ kind: "crashed", detail: "" } as const) : ({ kind: "ok" } as const);
  const script = plotted({ finals: [[red], [red], [green]], outcome });
  world.go(script);
  world.add(resumed);
  world.go(script);
  expect(exitCode(world.state)).toBe(4);
  expect([count(world, "final-verified"), count(world, "bisected"), count(world, "task-reopened")]).toEqual([2, 1, 1]);
  world.add(resumed);
  world.go(script);
  expect(exitCode(world.state)).toBe(0);
  expect(taskOf(world.state, "b")).toMatchObject({ phase: "integrated", blocked: null, regressions: [] });
  expect(world.state.counts).toEqual({ integrated: 2, satisfied: 0, blocked: 0 });
});

test("a culprit that could not be found is looked for again on resume", () => {
  const world = new World([spec("a"), spec("b")]);
  world.go(plotted({ finals: [[red]], culprit: byNobody }));
  world.add(resumed);
  world.go(plotted({ finals: [[red], [green]] }));
  expect(count(world, "bisected")).toBe(2);
  expect(exitCode(world.state)).toBe(0);
});

test("a requeued task fixes the regression that it could not fix before", () => {
  const world = new World([spec("b")]);
  const outcome = (_: string, attempt: number) =>
    attempt > 1 && attempt < 5 ? ({ kind: "crashed", detail: "" } as const) : ({ kind: "ok" } as const);
  const script = plotted({ finals: [[red], [green]], outcome });
  world.go(script);
  expect(exitCode(world.state)).toBe(4);
  world.add({ type: "task-requeued", task: "b", command: "x" });
  expect(taskOf(world.state, "b").regressions).toEqual([byB]);
  world.go(script);
  expect(exitCode(world.state)).toBe(0);
});

test("a task that makes one regression after another is reopened so often and no more", () => {
  const world = new World([spec("a"), spec("b")]);
  world.go(plotted({ finals: [[red]] }));
  expect(count(world, "task-reopened")).toBe(engineLimits.reopensPerTaskMax);
  expect(exitCode(world.state)).toBe(4);
  expect(world.state.parked?.why).toContain(`b has already been reopened ${engineLimits.reopensPerTaskMax} times`);
});

test("what was to be fixed and is green on the tip needs no session; the final checks decide again", () => {
  const world = new World([spec("b")]);
  const script = plotted({ finals: [[red], [green]] });
  world.go((action, state) => {
    const event = script(action, state);
    return event.type === "baseline" && event.attempt === 2 ? { ...event, state: "green" } : event;
  });
  expect(exitCode(world.state)).toBe(0);
  expect(count(world, "agent-finished")).toBe(1);
  expect(taskOf(world.state, "b").phase).toBe("integrated");
});

test("a room that could not be set up blames no commit: nothing is traced", () => {
  const world = new World([spec("a")]);
  world.go(plotted({ finals: [[{ ...red, state: "broken", cause: "set-up" }]] }));
  expect(count(world, "bisected")).toBe(0);
  expect(exitCode(world.state)).toBe(4);
});

test("final checks and tracing under way are given up when a task gets new attempts meanwhile", () => {
  const world = new World([spec("b")]);
  const outcome = (_: string, attempt: number) =>
    attempt > 1 ? ({ kind: "crashed", detail: "" } as const) : ({ kind: "ok" } as const);
  world.go(plotted({ finals: [[red]], outcome }));
  world.add(resumed);
  expect(decide(world.state)).toEqual([{ type: "final-verify" }]);
  expect(isObsolete(world.state, { type: "final-verify" })).toBe(false);
  world.add({ type: "task-requeued", task: "b", command: "x" });
  expect(isObsolete(world.state, { type: "final-verify" })).toBe(true);
  expect(isObsolete(world.state, { type: "bisect" })).toBe(true);
});

test("a flaky check fails nothing and is named", () => {
  const world = new World([spec("a")]);
  world.go(plotted({ finals: [[{ ...green, flaky: true }]] }));
  expect(exitCode(world.state)).toBe(0);
  expect(summarise(world.state, false).flaky).toEqual(["npm test"]);
});

test("what the final checks showed green is known of that tree, what they showed red is not", () => {
  const world = new World([spec("a")]);
  world.go(plotted({ finals: [[{ ...green, key: "g" }, red]], culprit: byNobody }));
  const known = world.state.proven.get(`tree of ${world.state.tip}`);
  expect([...(known?.keys() ?? [])]).toEqual(["g"]);
});
