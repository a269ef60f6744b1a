import { expect, test } from "vitest";
import type { Action } from "../../../src/engine/action.ts";
import { decide } from "../../../src/engine/decide.ts";
import { exitCode } from "../../../src/engine/exit-code.ts";
import { summarise } from "../../../src/engine/summary.ts";
import { honest, settings, spec, World } from "../../rig/world.ts";

function pushesOf(world: World): unknown[] {
  return world.events.flatMap((event) => (event.type === "pushed" ? [event.commit] : []));
}

/** As a host does that shares at once what has landed. */
function shareAtOnce(world: World): Action["type"][] {
  const answer = honest();
  const order: Action["type"][] = [];
  for (;;) {
    const due = decide(world.state);
    const action = due.find(({ type }) => type === "record") ?? due.at(-1);
    if (action === undefined) return order;
    order.push(action.type);
    world.add(action.type === "record" ? action.event : answer(action, world.state));
  }
}

test.each([
  ["never", 0],
  ["task", 2],
  ["run", 1],
] as const)("with push: %s, two tasks are pushed %i times, the last time with the final tip", (push, times) => {
  const world = new World([spec("a"), spec("b", ["a"])], { push });
  const order = shareAtOnce(world);
  expect(pushesOf(world)).toHaveLength(times);
  expect(pushesOf(world).at(-1)).toBe(times === 0 ? undefined : world.state.tip);
  expect(order.filter((type) => type === "publish")).toHaveLength(2);
  expect(summarise(world.state, false).pushed).toBe(times === 0 ? null : true);
  expect(exitCode(world.state)).toBe(0);
});

test("a tip is pushed once it is published, and the work continues meanwhile", () => {
  const world = new World([spec("a"), spec("b", ["a"])], { push: "task" });
  const answer = honest();
  world.go((action, state) => {
    const pushes = decide(state).filter(({ type }) => type === "push").length;
    expect(pushes).toBe(state.publication?.commit === state.tip ? 1 : 0);
    return action.type === "push" ? { type: "stopped", why: "seen" } : answer(action, state);
  });
  expect(world.state).toMatchObject({ finished: "done", push: null });
});

test("a push that failed changes neither the work nor the exit code, and is retried when the run resumes", () => {
  const world = new World([spec("a")], { push: "run" });
  const answer = honest();
  const failed = { type: "push-failed", remote: "origin", branch: "stint/p", why: "no network", tries: 4 } as const;
  world.go((action, state) => (action.type === "push" ? { ...failed, commit: state.tip } : answer(action, state)));
  expect(world.state).toMatchObject({ finished: "done", push: { failed: "no network" } });
  expect([exitCode(world.state), decide(world.state), summarise(world.state, false).pushed]).toEqual([0, [], false]);
  world.add({ type: "resumed", why: "driver-started", pid: 1, settings: { ...settings, push: "run" } });
  expect(decide(world.state)).toEqual([{ type: "push" }]);
});

test("a run that landed nothing has nothing to push", () => {
  const world = new World([spec("a")], { push: "run" });
  const answer = honest();
  world.go((action, state) =>
    action.type === "baseline"
      ? { type: "baseline", task: "a", attempt: 1, state: "green", why: "", checks: [] }
      : answer(action, state),
  );
  expect(pushesOf(world)).toEqual([]);
  expect(world.state.finished).toBe("unproven");
});
