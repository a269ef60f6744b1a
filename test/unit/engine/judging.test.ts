import * as fc from "fast-check";
import { expect, test } from "vitest";
import { decide } from "../../../src/engine/decide.ts";
import { isObsolete } from "../../../src/engine/action.ts";
import { attemptOf } from "../../../src/engine/attempt.ts";
import type { EventOf, RunEvent, RunSettings } from "../../../src/engine/events.ts";
import { fold } from "../../../src/engine/evolve.ts";
import { exitCode } from "../../../src/engine/exit-code.ts";
import type { Outcome } from "../../../src/engine/session.ts";
import { taskOf } from "../../../src/engine/state.ts";
import { summarise } from "../../../src/engine/summary.ts";
import { TrainWorld, type JudgeWord, type Result } from "../../rig/train-world.ts";
import { spec, usage, World } from "../../rig/world.ts";

const [kind, short] = ["Is it kind?", "Is it short?"];
const process = { pid: 7, startTime: "1", bootId: "b" };
const check = { label: "npm test", state: "green", why: "exit 0", tail: "", durationMs: 5 } as const;

/** Candidates of these tasks in a row, each placed on the one in front. */
function cars(ids: readonly string[], settings: Partial<RunSettings> = {}): World {
  const specs = ids.map((id) => spec(id, [], { create: [id], modify: [], delete: [], touch: [] }));
  const world = new World(specs, { parallel: 4, ...settings });
  ids.forEach((id, at) => candidate(world, id, at === 0 ? world.state.tip : `${ids[at - 1]}1`));
  return world;
}

function candidate(world: World, id: string, tip: string, attempt = 1) {
  const of = { task: id, attempt };
  const finished = { outcome: { kind: "ok" }, report: null, reportProblem: null, usage } as const;
  world.add({ type: "attempt-started", ...of, base: world.state.tip, role: "executor" });
  world.add({ type: "agent-finished", ...of, ...finished });
  world.add({
    type: "candidate-made",
    ...of,
    commit: `c-${id}`,
    paths: [id],
    pathCount: 1,
    diff: `${id} diff ${attempt}`,
  });
  world.add({ type: "placed", ...of, tip, commit: `${id}${attempt}`, tree: `tree ${id}` });
}

function pass(world: World, id: string, tip: string, questions = [kind]) {
  const { number: attempt, placement, candidate } = attemptOf(taskOf(world.state, id));
  const { commit: placed = "", tree = "" } = placement ?? {};
  const of = { task: id, attempt, diff: candidate?.diff ?? "" };
  world.add({ type: "checks-passed", ...of, tip, placed, tree, checks: [check], questions });
}

function start(world: World, task: string | null, question = kind) {
  const session = (world.state.judges.get(task)?.sessions ?? 0) + 1;
  const attempt = task === null ? 0 : taskOf(world.state, task).attempts;
  world.add({ type: "judge-started", task, attempt, question, session, process, marker: "m" });
}

function answer(world: World, task: string | null, said: Partial<EventOf<"judged">>) {
  const open = world.state.judges.get(task)?.open;
  if (open === null || open === undefined) throw new Error("no judge was started");
  const { attempt, question, session } = open;
  const diff = (task === null ? world.state.judging?.diff : taskOf(world.state, task).judging?.diff) ?? "";
  const silent = { judgement: null, problem: null, outcome: { kind: "ok" }, durationMs: 9 } as const;
  world.add({ type: "judged", task, attempt, question, session, diff, usage, ...silent, ...said });
}

const yes = { judgement: { pass: true, why: "it is" } };
const no = { judgement: { pass: false, why: "line 3 is rude" } };

function due(world: World): unknown[] {
  return decide(world.state).map((action) => (action.type === "record" ? action.event : action));
}

function settle(world: World) {
  for (;;) {
    const found = decide(world.state).find((action) => action.type === "record");
    if (found === undefined) return;
    world.add(found.event);
  }
}

test("a candidate that all else agrees with waits for its judge, one question after the other, and then lands", () => {
  const world = cars(["a"]);
  pass(world, "a", "base", [kind, short]);
  expect(due(world)).toEqual([{ type: "judge", of: "a", question: kind }]);
  expect(summarise(world.state, true).tasks).toMatchObject([
    { state: "verifying", reason: `a judge is asked: ${kind}` },
  ]);
  start(world, "a");
  answer(world, "a", yes);
  expect(due(world)).toEqual([{ type: "judge", of: "a", question: short }]);
  start(world, "a", short);
  answer(world, "a", yes);

  const word = { state: "green", why: "it is", tail: "", durationMs: 9 };
  expect(due(world)).toEqual([
    {
      type: "verdict",
      ...{ task: "a", attempt: 1, result: "passed", reason: null, why: "", tip: "base", placed: "a1", guards: [] },
      checks: [check, { label: `judge: ${kind}`, ...word }, { label: `judge: ${short}`, ...word }],
    },
  ]);
  settle(world);
  expect(due(world)).toEqual([{ type: "integrate", task: "a" }]);
});

test("a refusal costs an attempt, and the next one learns why; the other questions are not asked", () => {
  const world = cars(["a"]);
  pass(world, "a", "base", [kind, short]);
  start(world, "a");
  answer(world, "a", no);
  settle(world);
  const { spent, feedback, attempts } = taskOf(world.state, "a");
  expect({ spent, attempts }).toEqual({ spent: 1, attempts: 2 });
  expect(feedback).toMatchObject({ reason: "judge", why: `the judge refuses: ${kind} (line 3 is rude)` });
});

test("candidates behind one that is judged are verified on top of it, and its fall places them anew", () => {
  const world = cars(["a", "b"]);
  pass(world, "a", "base");
  start(world, "a");
  expect(due(world)).toEqual([
    { type: "end-judge", of: "a" },
    { type: "verify", task: "b", onto: "a1" },
  ]);
  answer(world, "a", no);
  settle(world);
  expect(due(world)).toContainEqual({ type: "verify", task: "b", onto: "base" });
});

test("the same change on another tip is verified again, but not judged again", () => {
  const world = cars(["a", "b"]);
  pass(world, "b", "a1");
  start(world, "b");
  answer(world, "b", yes);
  settle(world);
  expect(due(world)).toEqual([{ type: "verify", task: "a", onto: "base" }]);
  const failed = { result: "failed", reason: "check", why: "red", placed: null, guards: [], checks: [] } as const;
  world.add({ type: "verdict", task: "a", attempt: 1, tip: "base", ...failed });
  expect(due(world)).toContainEqual({ type: "verify", task: "b", onto: "base" });
  world.add({ type: "placed", task: "b", attempt: 1, tip: "base", commit: "b2", tree: "tree b2" });
  pass(world, "b", "base");
  settle(world);
  expect(due(world)).toContainEqual({ type: "integrate", task: "b" });
  expect(world.events.filter(({ type }) => type === "judge-started")).toHaveLength(1);
});

test("an answer that comes after the tip moved concludes nothing until the other checks are green there", () => {
  const world = cars(["a", "b"]);
  pass(world, "b", "a1");
  start(world, "b");
  const failed = { result: "failed", reason: "check", why: "red", placed: null, guards: [], checks: [] } as const;
  world.add({ type: "verdict", task: "a", attempt: 1, tip: "base", ...failed });
  answer(world, "b", yes);
  expect(due(world)).toContainEqual({ type: "verify", task: "b", onto: "base" });
  expect(due(world).filter((one) => JSON.stringify(one).includes("passed"))).toEqual([]);
});

test("a tip that moves while a judge is at it ends no session; a change that is gone does", () => {
  const world = cars(["a", "b"]);
  pass(world, "b", "a1");
  const action = { type: "judge", of: "b", question: kind } as const;
  const failed = { reason: "check", why: "red", placed: null, guards: [], checks: [] } as const;
  world.add({ type: "verdict", task: "a", attempt: 1, tip: "base", result: "failed", ...failed });
  expect(isObsolete(world.state, action)).toBe(false);
  world.add({ type: "verdict", task: "b", attempt: 1, tip: "base", result: "failed", ...failed });
  expect(isObsolete(world.state, action)).toBe(true);
});

test.each<[Outcome, string | null]>([
  [{ kind: "limit", until: null }, "limit"],
  [{ kind: "overloaded", detail: "busy" }, "overloaded"],
  [{ kind: "auth", detail: "log in" }, "auth"],
  [{ kind: "misconfigured", detail: "no such model" }, "agent"],
  [{ kind: "interrupted", detail: "stopped" }, null],
  [{ kind: "budget", detail: "0.50 of 0.40 USD" }, null],
])("a judge's session that ends with %o costs nothing and counts as no silence", (outcome, reason) => {
  const world = cars(["a"]);
  pass(world, "a", "base");
  for (let times = 0; times < 3; times += 1) {
    start(world, "a");
    answer(world, "a", { outcome });
    if (reason !== null) {
      expect(due(world)).toMatchObject([{ type: "park", reason }]);
      world.add({ type: "resumed", why: "driver-started", pid: 1, settings: world.state.settings });
    }
    expect(due(world)).toEqual([{ type: "judge", of: "a", question: kind }]);
  }
  expect(taskOf(world.state, "a").spent).toBe(0);
});

test.each<Outcome>([
  { kind: "ok" },
  { kind: "crashed", detail: "exit 3" },
  { kind: "timeout", detail: "60 s" },
  { kind: "idle", detail: "60 s" },
  { kind: "refused", detail: "no" },
  { kind: "context", detail: "too long" },
])("a judge that ends with %o and no judgement is asked once more, then a person is", (outcome) => {
  const world = cars(["a"]);
  pass(world, "a", "base");
  start(world, "a");
  answer(world, "a", { outcome, problem: "judgement.json: there is no such file" });
  expect(due(world)).toEqual([{ type: "judge", of: "a", question: kind }]);
  start(world, "a");
  answer(world, "a", { outcome, problem: "judgement.json: there is no such file" });
  settle(world);
  expect(taskOf(world.state, "a")).toMatchObject({ phase: "blocked", spent: 0, blocked: { kind: "broken-check" } });
  expect(decide(world.state)).toMatchObject([{ type: "park", reason: "broken-check" }]);
});

test("what judges spend counts for the task, the run and their role, and a cap keeps them from being asked", () => {
  const world = cars(["a"], { budgetUsd: 1 });
  pass(world, "a", "base", [kind, short]);
  expect(due(world)).toHaveLength(1);
  start(world, "a");
  answer(world, "a", yes);
  expect([taskOf(world.state, "a").usage.usd, world.state.usage.usd]).toEqual([1, 1]);
  expect(world.state.usageByRole.get("judge")?.usd).toBe(0.5);
  expect(due(world)).toMatchObject([{ type: "park", reason: "budget", why: "1.00 of 1.00 USD are spent" }]);
  world.add({ type: "resumed", why: "driver-started", pid: 1, settings: { ...world.state.settings, budgetUsd: 9 } });
  expect(due(world)).toEqual([{ type: "judge", of: "a", question: short }]);
});

test("the cap of one task keeps its judge from being asked, too", () => {
  const world = cars(["a"], { taskUsd: 0.5 });
  pass(world, "a", "base");
  expect(due(world)).toMatchObject([{ type: "park", reason: "budget" }]);
});

test("a judge that a driver left behind is ended before its task gets another session, whatever became of the task", () => {
  const world = cars(["a"]);
  pass(world, "a", "base");
  start(world, "a");
  const conflict = { result: "conflict", reason: "conflict", why: "", placed: null, guards: [], checks: [] } as const;
  world.add({ type: "verdict", task: "a", attempt: 1, tip: "base", ...conflict });
  world.refold();
  expect(due(world)).toEqual([{ type: "end-judge", of: "a" }]);
  answer(world, "a", { diff: "", outcome: { kind: "interrupted", detail: "" } });
  expect(due(world)).toMatchObject([{ type: "attempt-started", task: "a", attempt: 2 }]);
});

test("work by hand that waits for a judge is not done, though agents were asked for nothing", () => {
  const world = cars(["a"], { only: [] });
  pass(world, "a", "base");
  start(world, "a");
  answer(world, "a", { outcome: { kind: "misconfigured", detail: "nobody judges" } });
  expect(due(world)).toMatchObject([{ type: "park", reason: "agent", why: "nobody judges" }]);
});

test("an answer about another change does not count", () => {
  const world = cars(["a"]);
  pass(world, "a", "base");
  start(world, "a");
  answer(world, "a", { ...yes, diff: "another" });
  expect(due(world)).toEqual([{ type: "judge", of: "a", question: kind }]);
});

/** All tasks have landed, and so far nothing but a judge is left to ask of the plan. */
function wholePlan(): World {
  const world = cars(["a"]);
  const passed = { result: "passed", reason: null, why: "", placed: "a1", guards: [], checks: [] } as const;
  world.add({ type: "verdict", task: "a", attempt: 1, tip: "base", ...passed });
  world.add({ type: "task-integrated", task: "a", attempt: 1, commit: "a1" });
  world.add({ type: "published", commit: "a1", branch: "stint/p" });
  finalChecks(world);
  return world;
}

function finalChecks(world: World) {
  const final = { task: null, attempt: 0, tip: "a1", placed: "a1", tree: "t", diff: "a1" } as const;
  world.add({ type: "checks-passed", ...final, checks: [check], questions: [kind] });
}

test("a question of the plan is asked of the final tip; passed, the run is finished", () => {
  const world = wholePlan();
  expect(due(world)).toEqual([{ type: "judge", of: null, question: kind }]);
  start(world, null);
  expect(due(world)).toEqual([{ type: "end-judge", of: null }]);
  answer(world, null, yes);
  settle(world);
  expect(exitCode(world.state)).toBe(0);
});

test("refused, the run is red, traced to nobody; resuming it asks the judge again", () => {
  const world = wholePlan();
  start(world, null);
  answer(world, null, no);
  settle(world);
  const why = `not green on the final tip: judge: ${kind} (red: line 3 is rude)`;
  expect(due(world)).toMatchObject([{ type: "park", reason: "final-red", why }]);
  world.add({ type: "resumed", why: "driver-started", pid: 1, settings: world.state.settings });
  finalChecks(world);
  expect(due(world)).toEqual([{ type: "judge", of: null, question: kind }]);
});

test("what a judge said of a final tip says nothing of the next one", () => {
  const world = wholePlan();
  start(world, null);
  answer(world, null, yes);
  world.add({ type: "task-reopened", task: "a", regressions: [], why: "" });
  candidate(world, "a", "a1", 2);
  const passed = { result: "passed", reason: null, why: "", placed: "a2", guards: [], checks: [] } as const;
  world.add({ type: "verdict", task: "a", attempt: 2, tip: "a1", ...passed });
  world.add({ type: "task-integrated", task: "a", attempt: 2, commit: "a2" });
  world.add({ type: "published", commit: "a2", branch: "stint/p" });
  expect(due(world)).toEqual([{ type: "final-verify" }]);
});

test("a limit of the judge and a cap hold up the plan's question, too", () => {
  const world = wholePlan();
  start(world, null);
  answer(world, null, { outcome: { kind: "limit", until: null } });
  expect(due(world)).toMatchObject([{ type: "park", reason: "limit" }]);
  world.add({ type: "resumed", why: "wait-over", pid: 1, settings: { ...world.state.settings, budgetUsd: 0.1 } });
  expect(due(world)).toMatchObject([{ type: "park", reason: "budget" }]);
});

test("any plan with any words of judges, verdicts and crashes ends or waits; nothing lands unjudged, nothing is judged twice", () => {
  const round = fc.property(fc.integer(), (seed) => {
    let number = seed >>> 0;
    const chance = () => (number = (Math.imul(number, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32;
    let trouble = 30;
    const isCalm = () => (trouble -= 1) < 0 || chance() < 0.6;
    const resultOf = (): Result => (isCalm() ? "passed" : chance() < 0.5 ? "failed" : "conflict");
    const words = ["refuse", "nothing", "limit", "interrupted"] as const;
    const wordOf = (): JudgeWord => (isCalm() ? "pass" : (words[Math.floor(chance() * words.length)] ?? "pass"));
    const tasks = ["a", "b", "c", "d"].map((id) => {
      return spec(id, id === "d" ? ["a"] : [], { create: [id], modify: [], delete: [], touch: [] });
    });
    const chances = { chance, resultOf, wordOf, questions: [kind, short] };
    const world = new TrainWorld(tasks, { parallel: 1 + Math.floor(chance() * 4), attempts: 4 }, chances);
    for (let steps = 0; steps < 3_000; steps += 1) {
      if (!world.begin()) {
        if (world.state.parked?.reason !== "limit") break;
        world.add({ type: "resumed", why: "driver-started", pid: 1, settings: world.state.settings });
      } else world.step();
      if (steps < 200 && chance() < 0.02) world.crash();
    }
    checkJudged(world.events);
    expect([0, 3, 4]).toContain(exitCode(world.state));
    expect(decide(fold(world.events)!)).toEqual(decide(world.state));
  });
  fc.assert(round, { numRuns: 40 });
});

/** Each landed candidate was passed on both questions; no question about a change was put again once it was answered. */
function checkJudged(events: readonly RunEvent[]) {
  const answered = new Map<string, boolean>();
  const candidates = new Map<string, string>();
  for (const event of events) {
    if (event.type === "candidate-made") candidates.set(event.task, event.commit);
    const change = "task" in event && event.task !== null ? candidates.get(event.task) : undefined;
    if (event.type === "judge-started") expect(answered.has(`${change} ${event.question}`)).toBe(false);
    if (event.type === "judged" && event.judgement !== null)
      answered.set(`${event.diff} ${event.question}`, event.judgement.pass);
    if (event.type === "task-integrated")
      expect([kind, short].map((question) => answered.get(`${change} ${question}`))).toEqual([true, true]);
  }
}
