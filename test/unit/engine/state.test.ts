import * as fc from "fast-check";
import { expect, test } from "vitest";
import { enter, hasLanded, isBarred, isComplete, isOver, taskOf, type Phase } from "../../../src/engine/state.ts";
import { spec, World } from "../../rig/world.ts";

const phases: readonly Phase[] = [
  ...(["pending", "started", "baselined", "taken", "working", "ended", "rescued", "asking", "waiting"] as const),
  ...(["candidate", "judging", "passed", "integrating", "exhausted", "integrated", "satisfied", "blocked"] as const),
];

test("whatever phases tasks go through, each is in exactly the indexes of its phase, and is counted once", () => {
  const ids = ["a", "b", "c"];
  const moves = fc.array(fc.tuple(fc.constantFrom(...ids), fc.constantFrom(...phases)), { maxLength: 30 });
  fc.assert(
    fc.property(moves, (all) => {
      const { state } = new World(ids.map((id) => spec(id)));
      for (const [id, phase] of all) enter(state, id, phase);
      const inPhase = (...wanted: readonly Phase[]) => ids.filter((id) => wanted.includes(taskOf(state, id).phase));
      const finalOrIdle = inPhase("pending", "blocked", "taken", "waiting", "integrated", "satisfied");
      expect([...state.active].toSorted()).toEqual(ids.filter((id) => !finalOrIdle.includes(id)));
      expect([...state.held].toSorted()).toEqual(inPhase("taken", "waiting"));
      expect([...state.queue].toSorted()).toEqual(inPhase("candidate", "judging", "passed", "integrating"));
      expect([...state.ready].toSorted()).toEqual(inPhase("pending"));
      expect(state.counts).toEqual({
        integrated: inPhase("integrated").length,
        satisfied: inPhase("satisfied").length,
        blocked: inPhase("blocked").length,
      });
    }),
    { numRuns: 200 },
  );
});

test("a task is ready once all that it depends on has landed; one that was reopened is not waited for again", () => {
  const { state } = new World([spec("a"), spec("b"), spec("c", ["a", "b"])]);
  expect([...state.ready].toSorted()).toEqual(["a", "b"]);
  enter(state, "a", "integrated");
  expect([...state.ready]).toEqual(["b"]);
  enter(state, "b", "satisfied");
  expect([...state.ready]).toEqual(["c"]);
  Object.assign(taskOf(state, "a"), { reopens: 1 });
  enter(state, "a", "pending");
  enter(state, "a", "integrated");
  expect([...state.ready]).toEqual(["c"]);
  expect(taskOf(state, "c").unmet).toBe(0);
});

test("a pending task that a person took is not ready for agents", () => {
  const { state } = new World([spec("a")]);
  taskOf(state, "a").byHand = true;
  enter(state, "a", "pending");
  expect([[...state.ready], [...state.called]]).toEqual([[], ["a"]]);
});

test("a run is complete when every task has landed, also one that is blocked after it was reopened", () => {
  const { state } = new World([spec("a"), spec("b")]);
  enter(state, "a", "integrated");
  enter(state, "b", "blocked");
  expect(isComplete(state)).toBe(false);
  taskOf(state, "b").commit = "c";
  expect([isComplete(state), hasLanded(taskOf(state, "b")), isOver("blocked")]).toEqual([true, true, false]);
});

test("an accepted revision bars the tasks that it changes, except those taken by hand", () => {
  const world = new World([spec("a"), spec("b"), spec("c")]);
  const changes = ["a", "b"].map((id) => ({ id, change: "changed" }) as const);
  const tasks = ["a", "b", "c"].map((id) => spec(id));
  const revision = { revision: 1, commit: "r", planHash: "h2", tasks, changes, by: "Ada" };
  taskOf(world.state, "b").byHand = true;
  expect(isBarred(world.state, "a")).toBe(false);
  world.add({ type: "revision-accepted", ...revision });
  expect(["a", "b", "c"].map((id) => isBarred(world.state, id))).toEqual([true, false, false]);
});

test("a task that the run does not have is a bug", () => {
  expect(() => taskOf(new World([spec("a")]).state, "b")).toThrow("expected a task of run r, but was b");
});
