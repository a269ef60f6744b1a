import { expect, test } from "vitest";
import type { Action } from "../../../src/engine/action.ts";
import type { RunEvent } from "../../../src/engine/events.ts";
import { exitCode } from "../../../src/engine/exit-code.ts";
import type { RunState } from "../../../src/engine/state.ts";
import { honest, settings, spec, World } from "../../rig/world.ts";

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

test("a wait for a limit that commands cut short begins again and is no longer than before", () => {
  const world = new World([spec("a"), spec("b")]);
  world.add({ type: "attempt-started", task: "b", attempt: 1, base: "base", role: "executor" });
  world.add({ type: "task-blocked", task: "b", attempt: 1, kind: "exhausted", why: "" });
  const waits: (number | null)[] = [];
  const script = honest((task) => (task === "a" ? { kind: "limit", until: null } : { kind: "ok" }));
  const goOn = () =>
    world.go((action, state) => {
      if (action.type === "park") waits.push(action.afterMs);
      return script(action, state);
    });
  goOn();
  world.add({ type: "task-requeued", task: "b", command: "t" });
  goOn();
  world.add({ type: "paused", command: "p" });
  world.add({ type: "resumed", why: "asked", pid: 1, settings, command: "q" });
  goOn();
  world.add({ type: "resumed", why: "wait-over", pid: 1, settings });
  goOn();
  expect(waits).toEqual([60_000, 60_000, 60_000, 300_000]);
});

test("a resumed run tries again what was refused or held up, and keeps what is done", () => {
  const world = new World([spec("a")], { push: "task" });
  world.add({ type: "publish-deferred", commit: "c", branch: "b", why: "checked out" });
  world.add({ type: "push-failed", commit: "c", remote: "origin", branch: "b", why: "no", tries: 3 });
  world.state.holds.set("judge", { reason: "auth", until: null, why: "" });
  world.state.proven.set("tree", new Map());
  world.add({ type: "parked", reason: "auth", why: "", until: null });
  world.add({ type: "resumed", why: "wait-over", pid: 1, settings });
  const { publication, push, parked, holds, holdStreak, proven } = world.state;
  expect({ publication, push, parked, holds: holds.size, holdStreak, trees: proven.size }).toEqual({
    ...{ publication: null, push: null, parked: null, holds: 0, holdStreak: 1, trees: 1 },
  });
  world.add({ type: "published", commit: "c", branch: "b" });
  world.add({ type: "resumed", why: "driver-started", pid: 2, settings });
  expect(world.state.publication).toEqual({ commit: "c", deferred: null });
  expect([world.state.holdStreak, world.state.proven.size]).toEqual([0, 0]);
});

test("a raised cap ends a wait for money, and no other wait", () => {
  const world = new World([spec("a")], { budgetUsd: 1 });
  world.add({ type: "parked", reason: "auth", why: "", until: null });
  world.add({ type: "cap-raised", budgetUsd: 5, command: "c" });
  expect(world.state.parked?.reason).toBe("auth");
  world.add({ type: "parked", reason: "budget", why: "", until: null });
  world.add({ type: "cap-raised", budgetUsd: 7, command: "d" });
  expect(world.state.parked).toBe(null);
  expect(world.state.settings).toMatchObject({ budgetUsd: 7, askedUsd: 7 });
});
