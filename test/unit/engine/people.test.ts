import { expect, test } from "vitest";
import { stillAsked } from "../../../src/engine/asked.ts";
import type { Action } from "../../../src/engine/action.ts";
import { decide } from "../../../src/engine/decide.ts";
import type { RunEvent } from "../../../src/engine/events.ts";
import { exitCode } from "../../../src/engine/exit-code.ts";
import { taskOf, type RunState } from "../../../src/engine/state.ts";
import { summarise } from "../../../src/engine/summary.ts";
import { waitsInVain } from "../../../src/project/runs.ts";
import { honest, settings, spec, World } from "../../rig/world.ts";

const of = (task: string, attempt = 1) => ({ task, attempt });

/** Whose task `a` is in a person's hands; nothing else was asked for. */
function taken(world = new World([spec("a"), spec("b", ["a"]), spec("c")], { only: [] })): World {
  world.add({ type: "task-taken", task: "a", command: "t" });
  world.go(honest());
  return world;
}

function submit(world: World, choose: (action: Action, state: RunState) => RunEvent = honest()): void {
  world.add({ type: "task-submitted", ...of("a", taskOf(world.state, "a").attempts), command: "s" });
  world.go(choose);
}

function verdictOf(result: "failed" | "conflict"): (action: Action, state: RunState) => RunEvent {
  const reason = result === "failed" ? "check" : "conflict";
  return (action, state) =>
    action.type === "verify"
      ? {
          type: "verdict",
          ...of(action.task, taskOf(state, action.task).attempts),
          result,
          reason,
          why: "no",
          tip: action.onto,
          placed: null,
          guards: [],
          checks: [],
        }
      : honest()(action, state);
}

function resumed(only: readonly string[] | null): RunEvent {
  return { type: "resumed", why: "driver-started", pid: 1, settings: { ...settings, only } };
}

function typesOf(world: World, task: string): string[] {
  return world.events.flatMap((event) => ("task" in event && event.task === task ? [event.type] : []));
}

test("a taken task gets a baseline and a workspace, no session; then the run rests, and no agent was started", () => {
  const world = taken();
  expect(typesOf(world, "a")).toEqual(["task-taken", "attempt-started", "baseline", "workspace-given"]);
  expect(taskOf(world.state, "a").phase).toBe("taken");
  expect(world.state.parked).toEqual({
    reason: "rest",
    why: "taken by hand: a; not asked for: b, c",
    until: null,
  });
  expect(typesOf(world, "c")).toEqual([]);
});

test("what is handed in is verified and integrated like any other work, at no attempt of agents", () => {
  const world = taken();
  submit(world);
  const a = taskOf(world.state, "a");
  expect([a.phase, a.byHand, a.spent]).toEqual(["integrated", false, 0]);
  expect(world.state.parked?.why).toBe("not asked for: b, c");
  world.add(resumed(null));
  world.go(honest());
  expect(exitCode(world.state)).toBe(0);
});

test.each(["failed", "conflict"] as const)(
  "a verdict of %s gives the same attempt back to its person, however often",
  (result) => {
    const world = taken();
    for (let round = 0; round < 5; round += 1) {
      submit(world, verdictOf(result));
      const a = taskOf(world.state, "a");
      expect([a.phase, a.attempts, a.spent, a.conflicts]).toEqual(["taken", 1, 0, 0]);
    }
    expect(summarise(world.state, false).tasks[0]).toMatchObject({
      state: "taken",
      reason: "submitted and rejected: no",
    });
    submit(world);
    expect(taskOf(world.state, "a").phase).toBe("integrated");
  },
);

test("what was handed in before and refused leaves nothing behind that others would be verified on", () => {
  const world = taken();
  world.add({ type: "task-submitted", ...of("a"), command: "s" });
  world.add({ type: "candidate-made", ...of("a"), commit: "c1", paths: ["x"], pathCount: 1, diff: "d" });
  world.add({ type: "placed", ...of("a"), tip: "base", commit: "p1", tree: "t1" });
  const failed = { result: "failed", reason: "check", why: "no", placed: null, guards: [], checks: [] } as const;
  world.add({ type: "verdict", ...of("a"), tip: "base", ...failed });
  world.add({ type: "task-submitted", ...of("a"), command: "s2" });
  world.add({ type: "candidate-made", ...of("a"), commit: "c2", paths: ["x"], pathCount: 1, diff: "d" });
  expect(taskOf(world.state, "a").attempt?.placement).toBe(null);
  expect(decide(world.state)).toContainEqual({ type: "verify", task: "a", onto: "base" });
});

test("taken again, it is a further attempt on the present tip; a workspace that is gone is given anew", () => {
  const world = taken();
  world.add({ type: "task-taken", task: "a", command: "t2" });
  world.go(honest());
  expect([taskOf(world.state, "a").phase, taskOf(world.state, "a").attempts]).toEqual(["taken", 2]);
  world.add({ type: "task-submitted", ...of("a", 2), command: "s" });
  world.add({ type: "work-lost", ...of("a", 2), path: "/w" });
  world.go(honest());
  const a = taskOf(world.state, "a");
  expect([a.phase, a.attempts, a.spent]).toEqual(["taken", 3, 0]);
  expect(a.feedback?.why).toContain("the workspace was gone");
});

test("given back, what the person did is rescued and agents do it", () => {
  const world = taken();
  world.add({ type: "task-requeued", task: "a", command: "r" });
  world.add(resumed(null));
  world.go(honest());
  expect(typesOf(world, "a")).toContain("work-rescued");
  expect(exitCode(world.state)).toBe(0);
});

test("a taken task whose check turned out to be broken is given back to agents by one requeue", () => {
  const world = new World([spec("a")]);
  world.add({ type: "task-taken", task: "a", command: "t" });
  world.go((action, state) =>
    action.type === "baseline"
      ? { type: "baseline", ...of("a", taskOf(state, "a").attempts), state: "broken", why: "no program", checks: [] }
      : honest()(action, state),
  );
  expect([taskOf(world.state, "a").phase, world.state.parked?.reason]).toEqual(["blocked", "broken-check"]);
  world.add({ type: "task-requeued", task: "a", command: "r" });
  world.add(resumed(null));
  world.go(honest());
  expect(exitCode(world.state)).toBe(0);
});

test("others go on beside a taken task, unless they might touch its files; then the run waits for the person", () => {
  const file = (name: string) => ({ create: [], modify: [], delete: [], touch: [name] });
  const world = new World([spec("a", [], file("x")), spec("same", [], file("x")), spec("other", [], file("y"))]);
  taken(world);
  expect([...world.state.tasks.values()].map(({ phase }) => phase)).toEqual(["taken", "pending", "integrated"]);
  expect(world.state.parked).toMatchObject({ reason: "taken", why: "a" });
  expect(exitCode(world.state)).toBe(3);
});

test("a taken task waits for no lane, no limit and no budget", () => {
  const world = new World([spec("a")], { budgetUsd: 1 });
  world.state.usage = { ...world.state.usage, usd: 2 };
  world.state.holds.set("executor", { reason: "limit", until: null, why: "" });
  expect(taskOf(taken(world).state, "a").phase).toBe("taken");
});

test("with tasks asked for, those and no others are done; the run rests with 0, and goes on with all", () => {
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

test("a run that is taken up goes on with what was asked for, until that is done or in a person's hands", () => {
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

test("a run in which somebody works by hand is not left for a new one when HEAD has moved", () => {
  expect(waitsInVain(taken().state, "later")).toBe(false);
  const blocked = new World([spec("a")]);
  blocked.go(honest(() => ({ kind: "crashed", detail: "" })));
  expect(waitsInVain(blocked.state, "later")).toBe(true);
});

test("a task taken while the run is paused is said to be in a person's hands, and when they get its workspace", () => {
  const world = new World([spec("a")]);
  world.add({ type: "paused", command: "p" });
  world.add({ type: "task-taken", task: "a", command: "t" });
  const reason = "its workspace is created when the run resumes";
  expect(summarise(world.state, true).tasks).toMatchObject([{ id: "a", state: "taken", reason }]);
});
