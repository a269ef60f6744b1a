import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { Action } from "../../../src/engine/action.ts";
import type { RunEvent } from "../../../src/engine/events.ts";
import { fold } from "../../../src/engine/evolve.ts";
import { exitCode } from "../../../src/engine/exit-code.ts";
import type { Outcome } from "../../../src/engine/session.ts";
import { taskOf, type RunState } from "../../../src/engine/state.ts";
import { summarise } from "../../../src/engine/summary.ts";
import { honest, settings, spec, World } from "../../rig/world.ts";

test("a chain of tasks runs in order and finishes with 0", () => {
  const world = new World([spec("c", ["b"]), spec("b", ["a"]), spec("a")]);
  world.go(honest());
  const order = world.events.flatMap((event) => (event.type === "task-integrated" ? [event.task] : []));
  expect(order).toEqual(["a", "b", "c"]);
  expect(exitCode(world.state)).toBe(0);
});

test("a task that always fails is blocked after its attempts; others go on, dependants wait with the reason", () => {
  const world = new World([spec("bad"), spec("after", ["bad"]), spec("free")]);
  world.go(honest((task) => (task === "bad" ? { kind: "crashed", detail: "exit 1" } : { kind: "ok" })));
  expect(taskOf(world.state, "bad").spent).toBe(3);
  expect(exitCode(world.state)).toBe(3);
  const summary = summarise(world.state, false);
  expect(summary.tasks.map(({ id, state, reason }) => [id, state, reason])).toEqual([
    ["bad", "blocked", "3 of 3 attempts failed; the last: the session crashed: exit 1"],
    ["after", "pending", "waits for bad (blocked)"],
    ["free", "integrated", null],
  ]);
});

test("the attempts after escalate_after use the escalation role", () => {
  const world = new World([spec("bad")]);
  world.go(honest(() => ({ kind: "timeout", detail: "" })));
  const roles = world.events.flatMap((event) => (event.type === "attempt-started" ? [event.role] : []));
  expect(roles).toEqual(["executor", "executor", "escalation"]);
});

test("a usage limit parks the run until its reset and costs no attempt", () => {
  const until = "2026-11-15T23:00:00Z";
  const world = new World([spec("a")]);
  const script = honest((_, attempt) => (attempt === 1 ? { kind: "limit", until } : { kind: "ok" }));
  world.go(script);
  expect(world.state.parked).toEqual({ reason: "limit", why: "the agent's usage limit is reached", until });
  expect(exitCode(world.state)).toBe(75);
  world.add({ type: "resumed", why: "wait-over", pid: 1, settings });
  world.go(script);
  expect(taskOf(world.state, "a").spent).toBe(0);
  expect(exitCode(world.state)).toBe(0);
});

test("limits with no reset known back off longer each time, then wait for a person", () => {
  const world = new World([spec("a")]);
  const waits: (number | null)[] = [];
  for (let round = 0; round < 6; round += 1) {
    world.go((action, state) => {
      if (action.type === "park") waits.push(action.afterMs);
      return honest(() => ({ kind: "limit", until: null }))(action, state);
    });
    world.add({ type: "resumed", why: "wait-over", pid: 1, settings });
  }
  expect(waits).toEqual([60_000, 300_000, 900_000, 1_800_000, 3_600_000, null]);
});

test("a reset time that lies in the past is believed once; then the run backs off instead of looping", () => {
  const world = new World([spec("a")]);
  const waits: (number | null)[] = [];
  for (let round = 0; round < 7; round += 1) {
    world.go((action, state) => {
      if (action.type === "park") waits.push(action.afterMs);
      return honest(() => ({ kind: "limit", until: "2020-01-01T00:00:00Z" }))(action, state);
    });
    world.add({ type: "resumed", why: "wait-over", pid: 1, settings });
  }
  expect(waits).toEqual([0, 60_000, 300_000, 900_000, 1_800_000, 3_600_000, null]);
});

test("a broken check blocks its task before any session, with 4; checks that are green prove nothing, with 3", () => {
  const script = honest();
  const broken = new World([spec("a")]);
  broken.go((action, state) => {
    const event = script(action, state);
    return event.type === "baseline" ? { ...event, state: "broken", why: "exit 127" } : event;
  });
  expect(broken.events.some((event) => event.type === "agent-finished")).toBe(false);
  expect(exitCode(broken.state)).toBe(4);
  const green = new World([spec("a"), spec("b", ["a"])]);
  green.go((action, state) => {
    const event = script(action, state);
    return event.type === "baseline" && event.task === "a" ? { ...event, state: "green" } : event;
  });
  expect(green.state.counts).toEqual({ integrated: 1, satisfied: 1, blocked: 0 });
  expect(exitCode(green.state)).toBe(3);
});

test("red final checks end with 4 and are asked again on resume", () => {
  const world = new World([spec("a")]);
  const script = honest();
  let ok = false;
  const final = (action: Action, state: RunState): RunEvent => {
    const event = script(action, state);
    return event.type === "final-verified" ? { ...event, ok } : event;
  };
  world.go(final);
  expect(exitCode(world.state)).toBe(4);
  ok = true;
  world.add({ type: "resumed", why: "driver-started", pid: 1, settings });
  world.go(final);
  expect(exitCode(world.state)).toBe(0);
});

test("a blocked task that is requeued gets all its attempts again", () => {
  const world = new World([spec("a")]);
  world.go(honest(() => ({ kind: "idle", detail: "" })));
  world.add({ type: "task-requeued", task: "a", command: "x" });
  world.go(honest());
  expect(exitCode(world.state)).toBe(0);
  expect(taskOf(world.state, "a").attempts).toBe(4);
});

const outcomes: readonly Outcome[] = [
  { kind: "ok" },
  { kind: "ok" },
  { kind: "crashed", detail: "" },
  { kind: "timeout", detail: "" },
  { kind: "interrupted", detail: "" },
  { kind: "limit", until: "2026-01-01T00:00:00Z" },
  { kind: "overloaded", detail: "" },
  { kind: "context", detail: "" },
  { kind: "auth", detail: "" },
  { kind: "misconfigured", detail: "" },
  { kind: "budget", detail: "" },
];

/** Any acyclic plan: a task may depend only on those before it. */
const plans = fc
  .array(fc.array(fc.nat(), { maxLength: 3 }), { minLength: 1, maxLength: 12 })
  .map((rows) =>
    rows.map((picks, at) => spec(`t${at}`, at === 0 ? [] : [...new Set(picks.map((pick) => `t${pick % at}`))])),
  );

test("any plan with any outcomes ends or waits; every task lands at most once, after all it depends on", () => {
  const run = fc.property(
    plans,
    fc.array(fc.nat(outcomes.length - 1), { minLength: 1, maxLength: 40 }),
    (tasks, script) => {
      const world = new World(tasks);
      let turn = 0;
      // Faults stop: after the script, every session works.
      const answer = honest(() => outcomes[script[turn++] ?? 0] ?? { kind: "ok" });
      for (let round = 0; round < 60 && world.state.finished === null; round += 1) {
        world.go(answer);
        if (world.state.parked?.reason === "blocked") break;
        world.add({ type: "resumed", why: "wait-over", pid: 1, settings });
      }
      const landed = world.events.flatMap((event) => (event.type === "task-integrated" ? [event.task] : []));
      expect(new Set(landed).size).toBe(landed.length);
      for (const [at, id] of landed.entries()) {
        for (const dependency of taskOf(world.state, id).spec.depends)
          expect(landed.indexOf(dependency)).toBeLessThan(at);
      }
      for (const task of world.state.tasks.values()) expect(task.spent).toBeLessThanOrEqual(settings.attempts);
    },
  );
  fc.assert(run, { numRuns: 300 });
});

test("a replay of any prefix of a journal folds to the state the run had then", () => {
  const world = new World([spec("a"), spec("b", ["a"])]);
  const seen: string[] = [];
  world.go((action, state) => {
    seen.push(JSON.stringify([...state.tasks.values()]));
    return honest()(action, state);
  });
  const whole = fold(world.events)!;
  expect(JSON.stringify([...whole.tasks.values()])).toBe(JSON.stringify([...world.state.tasks.values()]));
  expect(whole.tip).toBe(world.state.tip);
  expect(seen.length).toBeGreaterThan(5);
});
