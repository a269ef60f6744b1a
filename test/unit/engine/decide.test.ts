import * as fc from "fast-check";
import { expect, test } from "vitest";
import { exitCode } from "../../../src/engine/exit-code.ts";
import type { Outcome } from "../../../src/engine/session.ts";
import { taskOf } from "../../../src/engine/state.ts";
import { summarise } from "../../../src/engine/summary.ts";
import { honest, settings, spec, World } from "../../rig/world.ts";

test("a chain of tasks runs in order and finishes with 0", () => {
  const world = new World([spec("c", ["b"]), spec("b", ["a"]), spec("a")]);
  world.go(honest());
  const order = world.events.flatMap((event) => (event.type === "task-integrated" ? [event.task] : []));
  expect(order).toEqual(["a", "b", "c"]);
  expect(exitCode(world.state)).toBe(0);
});

test("a task that always fails is blocked after its attempts; others continue, dependants wait with the reason", () => {
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
