import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { Action } from "../../../src/engine/action.ts";
import { attemptOf } from "../../../src/engine/attempt.ts";
import { decide } from "../../../src/engine/decide.ts";
import type { RunEvent, TaskSpec } from "../../../src/engine/events.ts";
import { fold } from "../../../src/engine/evolve.ts";
import { exitCode } from "../../../src/engine/exit-code.ts";
import { taskOf, type RunState } from "../../../src/engine/state.ts";
import { tasksBetween, train } from "../../../src/engine/train.ts";
import { meetingPlace } from "../../../src/plan/claims.ts";
import { TrainWorld, type Result } from "../../rig/train-world.ts";
import { spec, World } from "../../rig/world.ts";

/** A task with these files and no others. */
function task(id: string, files: readonly string[], depends: readonly string[] = []): TaskSpec {
  return spec(id, depends, { create: [...files], modify: [], delete: [], touch: [] });
}

/** Three candidates in a row, none of them verified, each placed on the one in front. */
function threeCars(): World {
  const world = new World([task("a", ["a"]), task("b", ["b"]), task("c", ["c"])], { parallel: 3 });
  for (const id of ["a", "b", "c"]) {
    world.add({ type: "attempt-started", task: id, attempt: 1, base: "base", role: "executor" });
    world.add({ type: "baseline", task: id, attempt: 1, state: "red", why: "", checks: [] });
    const usage = { inputTokens: 0, outputTokens: 0, usd: 0 };
    const finished = { outcome: { kind: "ok" }, report: null, reportProblem: null, usage } as const;
    world.add({ type: "agent-finished", task: id, attempt: 1, ...finished });
    world.add({ type: "candidate-made", task: id, attempt: 1, commit: `c-${id}`, paths: [id], pathCount: 1, diff: id });
  }
  for (const [id, tip] of [
    ["a", "base"],
    ["b", "a1"],
    ["c", "b1"],
  ] as const)
    place(world, id, tip, `${id}1`);
  return world;
}

function place(world: World, id: string, tip: string, commit: string) {
  world.add({ type: "placed", task: id, attempt: 1, tip, commit, tree: `tree ${commit}` });
}

function verdict(world: World, id: string, result: Result, tip: string) {
  const { placement, number: attempt } = attemptOf(taskOf(world.state, id));
  const reason = { passed: null, failed: "check", conflict: "conflict" } as const;
  const parts = { placed: result === "passed" ? (placement?.commit ?? null) : null, guards: [], checks: [] };
  world.add({ type: "verdict", task: id, attempt, result, reason: reason[result], why: result, tip, ...parts });
}

function land(world: World, id: string) {
  const { verified, number: attempt } = attemptOf(taskOf(world.state, id));
  world.add({ type: "task-integrated", task: id, attempt, commit: verified?.commit ?? "" });
}

function due(state: RunState): string[] {
  return decide(state).flatMap((action) => {
    if (action.type === "verify") return [`verify ${action.task} on ${action.onto}`];
    if (action.type === "record") return [`${action.event.type} ${"task" in action.event ? action.event.task : ""}`];
    return "task" in action ? [`${action.type} ${action.task}`] : [];
  });
}

test("each car is verified on top of the one in front, all at once", () => {
  expect(due(threeCars().state)).toEqual(["verify a on base", "verify b on a1", "verify c on b1"]);
});

test("a car that passed ahead lands without further ado when those in front have landed so", () => {
  const world = threeCars();
  verdict(world, "c", "passed", "b1");
  verdict(world, "b", "passed", "a1");
  expect(due(world.state)).toEqual(["verify a on base"]);
  verdict(world, "a", "passed", "base");
  expect(due(world.state)).toEqual(["integrate a"]);
  land(world, "a");
  expect(due(world.state)).toEqual(["integrate b"]);
  land(world, "b");
  expect(due(world.state)).toEqual(["integrate c"]);
});

test("a red verdict ahead is void when the car in front falls", () => {
  const world = threeCars();
  verdict(world, "b", "failed", "a1");
  expect(taskOf(world.state, "b")).toMatchObject({ spent: 0, phase: "candidate" });
  verdict(world, "a", "failed", "base");
  expect(taskOf(world.state, "a").spent).toBe(1);
  expect(taskOf(world.state, "b").spent).toBe(0);
  expect(due(world.state)).toEqual(["verify b on base", "attempt-started a"]);
});

test("a red verdict ahead is final when the cars in front land exactly so", () => {
  const world = threeCars();
  verdict(world, "b", "conflict", "a1");
  verdict(world, "a", "passed", "base");
  expect(taskOf(world.state, "b")).toMatchObject({ conflicts: 0, phase: "candidate" });
  land(world, "a");
  expect(taskOf(world.state, "b")).toMatchObject({ conflicts: 1, spent: 0, phase: "pending" });
  expect(taskOf(world.state, "b").feedback).toMatchObject({ reason: "conflict" });
});

test("cars behind one that is red ahead are placed past it, and stay there when it falls out", () => {
  const world = threeCars();
  verdict(world, "b", "failed", "a1");
  expect(due(world.state)).toContain("verify c on a1");
  place(world, "c", "a1", "c2");
  verdict(world, "c", "passed", "a1");
  verdict(world, "a", "passed", "base");
  land(world, "a");
  expect(taskOf(world.state, "b").spent).toBe(1);
  expect(due(world.state)).toContain("integrate c");
});

test("a car that passed on top of one that fell is verified again", () => {
  const world = threeCars();
  verdict(world, "b", "passed", "a1");
  verdict(world, "a", "failed", "base");
  expect(due(world.state)).toContain("verify b on base");
  expect(due(world.state).filter((one) => one.startsWith("integrate"))).toEqual([]);
});

test("whose work lies between two commits is known of the landed and of the cars in front", () => {
  const world = threeCars();
  verdict(world, "a", "passed", "base");
  land(world, "a");
  expect(tasksBetween(world.state, "base", "b1")).toEqual(["a", "b"]);
  expect(tasksBetween(world.state, "a1", "b1")).toEqual(["b"]);
  expect(tasksBetween(world.state, "base", "base")).toEqual([]);
});

test("conflicts cost no attempt; after three the next one blocks the task and says with what", () => {
  const world = new World([task("b", ["b"])]);
  for (let round = 1; round <= 4; round += 1) {
    conflict(world, "b", round);
    expect(taskOf(world.state, "b")).toMatchObject({ spent: 0, conflicts: round });
  }
  const blocked = decide(world.state).flatMap((action) => (action.type === "record" ? [action.event] : []));
  expect(blocked).toMatchObject([{ type: "task-blocked", task: "b", kind: "conflicts" }]);
});

/** Runs an attempt to a conflict that is final. */
function conflict(world: World, id: string, attempt: number) {
  const usage = { inputTokens: 0, outputTokens: 0, usd: 0 };
  const finished = { outcome: { kind: "ok" }, report: null, reportProblem: null, usage } as const;
  world.add({ type: "attempt-started", task: id, attempt, base: "base", role: "executor" });
  world.add({ type: "agent-finished", task: id, attempt, ...finished });
  world.add({
    type: "candidate-made",
    task: id,
    attempt,
    commit: `x${attempt}`,
    paths: [],
    pathCount: 0,
    diff: `d${attempt}`,
  });
  const parts = { why: "a", placed: null, guards: [], checks: [], with: ["a"] };
  world.add({ type: "verdict", task: id, attempt, result: "conflict", reason: "conflict", tip: "base", ...parts });
}

test("the same change on the same base is refused without a check and goes to the escalation role next", () => {
  const world = new World([spec("a")], { attempts: 4, escalateAfter: 3 });
  attemptWith(world, 1, "same");
  verdict(world, "a", "failed", "base");
  attemptWith(world, 2, "same");
  const [action] = decide(world.state);
  expect(action).toMatchObject({ type: "record", event: { type: "verdict", result: "failed", reason: "no-progress" } });
  world.add((action as Extract<Action, { type: "record" }>).event);
  expect(taskOf(world.state, "a").spent).toBe(2);
  expect(decide(world.state)).toMatchObject([{ event: { type: "attempt-started", role: "escalation" } }]);
  attemptWith(world, 3, "another");
  expect(decide(world.state)).toMatchObject([{ type: "verify", task: "a" }]);
});

test("a change that is made a third time has the reason of the first, not a chain of reasons", () => {
  const world = new World([spec("a")], { attempts: 4, escalateAfter: 3 });
  attemptWith(world, 1, "same");
  verdict(world, "a", "failed", "base");
  const first = taskOf(world.state, "a").feedback?.why;
  for (const attempt of [2, 3]) {
    attemptWith(world, attempt, "same");
    const [action] = decide(world.state);
    const { event } = action as Extract<Action, { type: "record" }>;
    expect(event).toMatchObject({ why: `the session made the same change as attempt 1, which failed: ${first}` });
    world.add(event);
  }
});

function attemptWith(world: World, attempt: number, diff: string) {
  const usage = { inputTokens: 0, outputTokens: 0, usd: 0 };
  const finished = { outcome: { kind: "ok" }, report: null, reportProblem: null, usage } as const;
  world.add({ type: "attempt-started", task: "a", attempt, base: "base", role: "executor" });
  world.add({ type: "agent-finished", task: "a", attempt, ...finished });
  world.add({ type: "candidate-made", task: "a", attempt, commit: `x${attempt}`, paths: [], pathCount: 0, diff });
}

/** Seeded, so that a failure names its round. */
function fair(seed: number) {
  let at = seed | 0;
  const chance = () => {
    at = (at + 0x6d2b79f5) | 0;
    let mixed = Math.imul(at ^ (at >>> 15), 1 | at);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return { chance, pick: (count: number) => Math.floor(chance() * count) };
}

/** Any plan: a few files that several tasks may want, dependencies on earlier ones. */
function anyPlan({ chance, pick }: ReturnType<typeof fair>): TaskSpec[] {
  return Array.from({ length: 1 + pick(10) }, (_, at) => {
    const files = chance() < 0.5 ? [`own${at}`] : [`f${pick(6)}`, `f${pick(6)}`];
    const depends = at === 0 ? [] : Array.from({ length: pick(3) }, () => `t${pick(at)}`);
    return task(`t${at}`, files, [...new Set(depends)]);
  });
}

test("any plan on any lanes with any verdicts and crashes ends or waits, and its branch is what was verified", () => {
  const round = fc.property(fc.integer(), (seed) => {
    const random = fair(seed);
    const tasks = anyPlan(random);
    const parallel = 1 + random.pick(5);
    let trouble = 40;
    const resultOf = (): Result => {
      // Faults stop: then every candidate passes.
      if ((trouble -= 1) < 0 || random.chance() < 0.6) return "passed";
      return random.chance() < 0.5 ? "failed" : "conflict";
    };
    const world = new TrainWorld(tasks, { parallel, attempts: 4 }, { ...random, resultOf });
    for (let steps = 0; world.begin(); steps += 1) {
      expect(steps).toBeLessThan(3_000);
      checkLanes(world, parallel);
      checkClaims(world);
      world.step();
      if (steps < 200 && random.chance() < 0.02) world.crash();
    }
    checkLanding(world.events);
    expect([0, 3]).toContain(exitCode(world.state));
    if (exitCode(world.state) === 0) expect(world.state.counts.integrated).toBe(tasks.length);
  });
  fc.assert(round, { numRuns: 150 });
});

function checkLanes({ underWay, state }: TrainWorld, parallel: number) {
  const all = [...underWay.values()];
  const verifications = all.filter(({ type }) => type === "verify").length;
  const sessions = all.filter(({ type }) => type === "baseline" || type === "work" || type === "collect").length;
  expect(sessions).toBeLessThanOrEqual(parallel);
  if (verifications > 1) expect(sessions + verifications).toBeLessThanOrEqual(parallel);
  // Nobody waits for a lane that is free.
  const waiting = train(state).length;
  if (waiting > 0) expect(all.some(({ type }) => type === "verify" || type === "integrate")).toBe(true);
}

function checkClaims({ state }: TrainWorld) {
  const claims = [...state.active].map((id) => taskOf(state, id).claims);
  const pairs = claims.flatMap((one, at) => claims.slice(at + 1).map((other) => meetingPlace(one, other)));
  expect(pairs.filter((place) => place !== undefined)).toEqual([]);
}

/** Each lands once, after what it depends on, as the very commit that was verified on the tip of that moment. */
function checkLanding(events: readonly RunEvent[]) {
  const state = fold(events)!;
  let tip = "base";
  const landed: string[] = [];
  for (const [at, event] of events.entries()) {
    if (event.type !== "task-integrated") continue;
    expect(landed).not.toContain(event.task);
    for (const needed of taskOf(state, event.task).spec.depends) expect(landed).toContain(needed);
    const known = events
      .slice(0, at)
      .filter((one) => (one.type === "placed" || one.type === "verdict") && one.task === event.task);
    const [placed, verdict] = [known.findLast(({ type }) => type === "placed"), known.at(-1)];
    expect(placed).toMatchObject({ commit: event.commit, tip });
    expect(verdict).toMatchObject({ type: "verdict", result: "passed", placed: event.commit, tip });
    tip = event.commit;
    landed.push(event.task);
  }
}

test("what is due follows from the journal alone, at every event of it", () => {
  const random = fair(7);
  const tasks = ["a", "b", "c", "d", "e"].map((id) => task(id, [id], id === "e" ? ["a", "b"] : []));
  const resultOf = (): Result => (random.chance() < 0.7 ? "passed" : "conflict");
  const world = new TrainWorld(tasks, { parallel: 3 }, { ...random, resultOf });
  const seen: [number, string][] = [];
  while (world.begin()) {
    seen.push([world.events.length, JSON.stringify(decide(world.state))]);
    world.step();
  }
  expect(seen.length).toBeGreaterThan(20);
  for (const [length, actions] of seen)
    expect(JSON.stringify(decide(fold(world.events.slice(0, length))!))).toBe(actions);
});

test("a lane is kept until what has passed has landed, so that what builds on it is not overtaken", () => {
  const tasks = [task("a", ["a"]), { ...task("z", ["z"]), estimateMs: 1 }, task("b", ["b"], ["a"])];
  const world = new World(tasks, { parallel: 1 });
  world.add({ type: "attempt-started", task: "a", attempt: 1, base: "base", role: "executor" });
  world.add({ type: "baseline", task: "a", attempt: 1, state: "red", why: "", checks: [] });
  const usage = { inputTokens: 0, outputTokens: 0, usd: 0 };
  const finished = { outcome: { kind: "ok" }, report: null, reportProblem: null, usage } as const;
  world.add({ type: "agent-finished", task: "a", attempt: 1, ...finished });
  world.add({ type: "candidate-made", task: "a", attempt: 1, commit: "c-a", paths: ["a"], pathCount: 1, diff: "a" });
  place(world, "a", "base", "a1");
  verdict(world, "a", "passed", "base");
  expect(due(world.state)).toEqual(["integrate a"]);
  land(world, "a");
  expect(due(world.state)).toEqual(["attempt-started b"]);
});
