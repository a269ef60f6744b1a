import * as fc from "fast-check";
import { expect, test } from "vitest";
import { decideCommand } from "../../../src/engine/commands.ts";
import { decide } from "../../../src/engine/decide.ts";
import type { Revision, RunEvent, TaskSpec } from "../../../src/engine/events.ts";
import { fold } from "../../../src/engine/evolve.ts";
import { isObsolete } from "../../../src/engine/action.ts";
import { noSpending } from "../../../src/engine/spending.ts";
import { isOver, taskOf, type RunState } from "../../../src/engine/state.ts";
import {
  added,
  blockedWorld,
  changed,
  command,
  failing,
  gone,
  instead,
  judge,
  own,
  proposed,
  revisionOf,
} from "../../rig/replan-world.ts";
import { honest, World } from "../../rig/world.ts";

/** Tasks a and b are at work when a revision that removes a is accepted. */
function atWork(): World {
  const world = new World([own("a"), own("b"), own("c", ["a"])], { parallel: 2, replan: "auto", replanMax: 1 });
  for (const task of ["a", "b"]) {
    world.add({ type: "attempt-started", task, attempt: 1, base: "base", role: "executor" });
    world.add({ type: "baseline", task, attempt: 1, state: "red", why: "", checks: [] });
  }
  return world;
}

const process = { pid: 1, startTime: "1", bootId: "b" };
const withoutA = revisionOf(1, [own("b"), own("c")], [changed("c"), gone("a")]);

test("from acceptance on, sessions of what is changed are to end and all others are left alone; then the plan takes effect", () => {
  const world = atWork();
  for (const task of ["a", "b"]) world.add({ type: "agent-started", task, attempt: 1, process, marker: "" });
  world.add({ type: "revision-accepted", ...withoutA, by: null });
  const ends = (task: string) => isObsolete(world.state, { type: "work", task });
  expect([ends("a"), ends("b")]).toEqual([true, false]);
  expect(decide(world.state).map(({ type }) => type)).not.toContain("adopt");
  const interrupted = { kind: "interrupted", detail: "" } as const;
  const end = { outcome: interrupted, report: null, reportProblem: null, usage: noSpending };
  world.add({ type: "agent-finished", task: "a", attempt: 1, ...end });
  expect(decide(world.state)).toContainEqual({ type: "collect", task: "a" });
  world.add({ type: "work-rescued", task: "a", attempt: 1, commit: null, ref: "", keptAt: null });
  expect([taskOf(world.state, "a").spent, taskOf(world.state, "a").phase]).toEqual([0, "pending"]);
  expect(decide(world.state)).toContainEqual({ type: "adopt", revision: 1, commit: "commit-1" });
  const before = taskOf(world.state, "b");
  world.add({ type: "plan-revised", ...withoutA, by: null });
  expect(taskOf(world.state, "b")).toBe(before);
  expect(taskOf(world.state, "b").phase).toBe("working");
  expect([...world.state.ready]).toEqual(["c"]);
});

test("what was only begun is given up at once, and a candidate of it is not landed any more", () => {
  const world = atWork();
  world.add({ type: "revision-accepted", ...withoutA, by: null });
  expect(decide(world.state).map(({ type }) => type)).toEqual(["adopt", "work"]);
  expect(isObsolete(world.state, { type: "adopt", revision: 1, commit: "commit-1" })).toBe(false);
  const landing = atWork();
  const end = { outcome: { kind: "ok" } as const, report: null, reportProblem: null, usage: noSpending };
  landing.add({ type: "agent-finished", task: "a", attempt: 1, ...end });
  landing.add({ type: "candidate-made", task: "a", attempt: 1, commit: "c-a", paths: [], pathCount: 0, diff: "d" });
  expect(decide(landing.state).map(({ type }) => type)).toContain("verify");
  landing.add({ type: "revision-accepted", ...withoutA, by: null });
  expect(decide(landing.state).map(({ type }) => type)).toEqual(["adopt", "work"]);
  expect(isObsolete(landing.state, { type: "verify", task: "a", onto: "base" })).toBe(true);
});

test("a revision that came too late for a task that is landing is dropped once it has landed", () => {
  const world = atWork();
  const of = { task: "a", attempt: 1 };
  const end = { outcome: { kind: "ok" } as const, report: null, reportProblem: null, usage: noSpending };
  world.add({ type: "agent-finished", ...of, ...end });
  world.add({ type: "candidate-made", ...of, commit: "c-a", paths: [], pathCount: 0, diff: "d" });
  const green = { result: "passed", reason: null, why: "", guards: [], checks: [] } as const;
  world.add({ type: "verdict", ...of, ...green, tip: "base", placed: "p-a" });
  world.add({ type: "integrating", ...of, old: "base", new: "p-a" });
  world.add({ type: "revision-accepted", ...withoutA, by: null });
  expect(decide(world.state)).toContainEqual({ type: "integrate", task: "a" });
  expect(decide(world.state).map(({ type }) => type)).not.toContain("adopt");
  world.add({ type: "task-integrated", ...of, commit: "p-a" });
  const why = "a would be removed, but its work has landed";
  expect(decide(world.state)[0]).toEqual({ type: "record", event: { type: "revision-dropped", revision: 1, why } });
});

test("a task taken by a person is theirs: the revision waits for them, says so, and nobody can take another of its tasks", () => {
  const world = new World([own("a"), own("b"), own("c")], { only: [], replan: "auto", replanMax: 1 });
  world.add({ type: "task-taken", task: "a", command: "t" });
  world.go(honest());
  const revision = revisionOf(1, [own("b"), own("c")], [changed("c"), gone("a")]);
  world.add({ type: "resumed", why: "driver-started", pid: 1, settings: { ...world.state.settings, only: null } });
  world.add({ type: "revision-accepted", ...revision, by: "kim" });
  expect(decideCommand(world.state, command({ kind: "take", task: "c" }), judge)).toMatchObject({
    why: "task c is changed by revision 1 of the plan, which is accepted",
  });
  world.go(failing([], instead));
  expect(world.state.parked).toMatchObject({ reason: "taken", why: expect.stringContaining("revision 1 waits for a") });
  world.add(decideCommand(world.state, command({ kind: "requeue", task: "a" }), judge));
  world.go(failing([], instead));
  expect([world.state.finished, [...world.state.tasks.keys()]]).toEqual(["done", ["b", "c"]]);
});

test("a task that comes back keeps counting its attempts, and keeps what it has spent", () => {
  const world = blockedWorld("auto");
  const again = failing(["a", "d"], (revision) =>
    revision === 1
      ? instead(1)
      : proposed(revisionOf(2, [own("b"), own("a"), own("c")], [added("a"), changed("c"), gone("d")])),
  );
  world.go(again);
  const started = world.events.filter((event) => event.type === "attempt-started" && event.task === "a");
  expect(started.map((event) => "attempt" in event && event.attempt)).toEqual([1, 2]);
  expect(taskOf(world.state, "a").usage.usd).toBe(1);
});

test("a planner whose plan nobody needs any more is ended before anything else, and so is one that a person overtakes", () => {
  const world = blockedWorld("auto");
  const started = (state: RunState): RunEvent => ({ type: "paused", command: String(state.replanning.open?.revision) });
  world.go(failing(["a"], (_, state) => started(state)));
  world.add({ type: "resumed", why: "asked", pid: 1, settings: world.state.settings });
  const replan = { type: "replan", revision: 1, asking: [] } as const;
  expect(isObsolete(world.state, replan)).toBe(false);
  world.add({ type: "task-requeued", task: "a", command: "x" });
  expect(isObsolete(world.state, replan)).toBe(true);
  expect(decide(world.state)[0]).toMatchObject({ type: "end-replan", revision: 1 });
});

interface Change {
  readonly steps: number;
  readonly fates: readonly ("keep" | "change" | "remove")[];
  readonly more: number;
}

const changeArb: fc.Arbitrary<Change> = fc.record({
  steps: fc.nat(60),
  fates: fc.array(fc.constantFrom("keep", "change", "remove"), { minLength: 6, maxLength: 6 }),
  more: fc.nat(2),
});

function revisionAt(state: RunState, { fates, more }: Change): Revision | undefined {
  const fateOf = new Map([...state.tasks.keys()].map((id, at) => [id, fates[at] ?? "keep"]));
  const specs = [...state.tasks.values()].map(({ spec: one }) => one);
  const isOpen = ({ id }: TaskSpec) => taskOf(state, id).commit === null && !isOver(taskOf(state, id).phase);
  const removed = new Set(specs.filter((one) => isOpen(one) && fateOf.get(one.id) === "remove").map(({ id }) => id));
  const news = Array.from({ length: more }, (_, at) => own(`new${at}`));
  const kept = specs.filter(({ id }) => !removed.has(id));
  const tasks = kept.map((one) => ({ ...one, depends: one.depends.filter((id) => !removed.has(id)) }));
  const isChanged = (one: TaskSpec, at: number) =>
    isOpen(one) && (fateOf.get(one.id) === "change" || tasks[at]?.depends.length !== one.depends.length);
  const changes = [...kept.filter(isChanged).map(({ id }) => changed(id)), ...news.map(({ id }) => added(id))];
  const all = [...tasks, ...news];
  return all.length === 0 ? undefined : revisionOf(1, all, [...changes, ...[...removed].map(gone)]);
}

test("property: at any moment any fitting revision leaves the rest alone, loses no landed task, and the run is done", () => {
  const edges = fc.array(fc.boolean(), { minLength: 15, maxLength: 15 });
  fc.assert(
    fc.property(edges, changeArb, fc.integer({ min: 1, max: 3 }), (edge, change, parallel) => {
      let at = 0;
      const ids = ["a", "b", "c", "d", "e", "f"];
      const specs = ids.map((id, index) =>
        own(
          id,
          ids.slice(0, index).filter(() => edge[at++]),
        ),
      );
      const world = new World(specs, { parallel, replan: "auto", replanMax: 1 });
      const act = failing([], instead);
      for (let step = 0; step < change.steps && world.state.finished === null; step += 1) {
        const actions = decide(world.state);
        const action = actions.find(({ type }) => type === "record") ?? actions[step % actions.length];
        if (action === undefined) break;
        world.add(action.type === "record" ? action.event : act(action, world.state));
      }
      const revision = revisionAt(world.state, change);
      if (world.state.finished !== null || revision === undefined) return;
      world.add({ type: "revision-accepted", ...revision, by: null });
      const named = new Set(revision.changes.map(({ id }) => id));
      let before: Map<string, unknown> | undefined;
      world.go((action, state) => {
        if (action.type === "adopt")
          before = new Map([...state.tasks].map(([id, task]) => [id, structuredClone(task)]));
        return act(action, state);
      });
      expect(before === undefined).toBe(!world.events.some(({ type }) => type === "plan-revised"));
      world.refold();
      expect(world.state.finished).toBe("done");
      const landed = world.events.flatMap((event) => (event.type === "task-integrated" ? [event.task] : []));
      expect(new Set(landed).size).toBe(landed.length);
      if (before === undefined) return;
      expect(new Set(landed)).toEqual(new Set(revision.tasks.map(({ id }) => id)));
      expect(world.state.counts).toEqual({ integrated: revision.tasks.length, satisfied: 0, blocked: 0 });
      const upTo = world.events.slice(0, world.events.findIndex(({ type }) => type === "plan-revised") + 1);
      const now = fold(upTo)!;
      for (const [id, task] of now.tasks) {
        const unmet = task.spec.depends.filter((on) => !isOver(taskOf(now, on).phase)).length;
        expect(task.unmet).toBe(unmet);
        if (!named.has(id))
          expect({ ...task, rank: 0, unmet: 0 }).toEqual({ ...(before.get(id) as object), rank: 0, unmet: 0 });
        else expect([task.phase, task.spent, task.blocked]).toEqual(["pending", 0, null]);
      }
      const pending = [...now.tasks.values()].filter(({ phase, unmet }) => phase === "pending" && unmet === 0);
      expect(new Set(now.ready)).toEqual(new Set(pending.map(({ spec: one }) => one.id)));
    }),
    { numRuns: 300 },
  );
});
