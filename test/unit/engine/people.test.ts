import { expect, test } from "vitest";
import { decideCommand, type Command, type Request } from "../../../src/engine/commands.ts";
import { isObsolete, type Action } from "../../../src/engine/action.ts";
import { decide } from "../../../src/engine/decide.ts";
import type { RunEvent } from "../../../src/engine/events.ts";
import { exitCode } from "../../../src/engine/exit-code.ts";
import { taskOf, type RunState } from "../../../src/engine/state.ts";
import { summarise } from "../../../src/engine/summary.ts";
import { waitsInVain } from "../../../src/project/runs.ts";
import { honest, settings, spec, World } from "../../rig/world.ts";
import { of, submit, taken } from "../../rig/by-hand-world.ts";
import { fold } from "../../../src/engine/evolve.ts";
import type { Report } from "../../../src/engine/session.ts";

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

test("what is submitted is verified and integrated like any other work, at no attempt of agents", () => {
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

test("what was submitted before and refused leaves nothing behind that others would be verified on", () => {
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

test("others continue beside a taken task, unless they might touch its files; then the run waits for the person", () => {
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

test("a run in which somebody works by hand is not left for a new one when HEAD has moved", () => {
  expect(waitsInVain(taken().state, "later")).toBe(false);
  const blocked = new World([spec("a")]);
  blocked.go(honest(() => ({ kind: "crashed", detail: "" })));
  expect(waitsInVain(blocked.state, "later")).toBe(true);
});

type Settle = (of: { readonly task: string; readonly attempt: number }) => RunEvent;

const grants: Settle = (of) => ({ type: "scope-decided", ...of, files: ["x"], granted: true, why: "Yes." });
const refuses: Settle = (of) => ({ type: "scope-decided", ...of, files: ["x"], granted: false, why: "No." });
const asks: Settle = (of) => ({
  ...{ type: "question", ...of, id: `${of.task}.${of.attempt}`, about: "scope" },
  ...{ question: "May it have x?", options: ["grant", "refuse"], files: ["x"] },
});

/** Task `a` reports so in its first session; the others work. */
function reporting(first: Partial<Report>, settle: Settle = asks) {
  const script = honest();
  const report: Report = { status: "done", summary: "", reason: "", needFiles: [], notes: "", ...first };
  return (action: Action, state: RunState): RunEvent => {
    const event = script(action, state);
    const isFirst = "task" in event && event.task === "a" && "attempt" in event && event.attempt === 1;
    if (event.type === "scope-decided") return settle({ task: event.task, attempt: event.attempt });
    if (!isFirst) return event;
    if (event.type === "agent-finished") return { ...event, report };
    if (event.type === "candidate-made" && report.status !== "done") {
      return { type: "work-rescued", task: "a", attempt: 1, commit: null, ref: "", keptAt: null };
    }
    return event;
  };
}

const asked = { status: "done", needFiles: ["x"] } as const;
const stuck = { status: "blocked", reason: "I need x", needFiles: ["x"] } as const;

function attempts(world: World): number {
  return world.events.filter(({ type }) => type === "attempt-started").length;
}

test("done, and granted: the same candidate is verified, with the files", () => {
  const world = new World([spec("a")]);
  world.go(reporting(asked, grants));
  expect(taskOf(world.state, "a")).toMatchObject({ phase: "integrated", attempts: 1, granted: ["x"], spent: 0 });
  expect(taskOf(world.state, "a").claims.paths).toEqual(["x"]);
});

test("done, and refused: the candidate is verified as it is, and a failure mentions the refusal", () => {
  const world = new World([spec("a")]);
  const script = reporting(asked, refuses);
  world.go((action, state) => {
    const event = script(action, state);
    const isFirst = event.type === "verdict" && event.attempt === 1;
    return isFirst ? { ...event, result: "failed", reason: "guard", why: "x was created" } : event;
  });
  const { feedback, granted, answers, phase } = taskOf(world.state, "a");
  expect({ granted, phase }).toEqual({ granted: [], phase: "integrated" });
  expect(feedback?.why).toBe("x was created. It asked for more files: No.");
  expect(answers).toEqual([{ question: "asks for x", answer: "not granted: No." }]);
});

test("a question occupies no lane: the others continue, then the run waits for the answer with 3", () => {
  const world = new World([spec("a"), spec("b", [], { create: [], modify: [], delete: [], touch: ["b"] })]);
  taskOf(world.state, "a").claims = { paths: ["a"], folders: [] };
  world.go(reporting(asked));
  expect(taskOf(world.state, "b").phase).toBe("integrated");
  expect(world.state.parked).toMatchObject({ reason: "question", why: "a.1" });
  expect(exitCode(world.state)).toBe(3);
  expect(summarise(world.state, false)).toMatchObject({
    tasks: [{ id: "a", state: "asking" }, { id: "b" }],
    questions: [
      { id: "a.1", task: "a", about: "scope", question: "May it have x?", options: ["grant", "refuse"], files: ["x"] },
    ],
  });
  world.add({ type: "resumed", why: "driver-started", pid: 1, settings });
  world.go(reporting(asked));
  expect(world.state.parked).toMatchObject({ reason: "question", why: "a.1" });
});

test.each([
  ["grant", ["x"]],
  ["refuse", []],
  ["anything else, from a journal nobody checked", []],
])("done, and a person says %s: the same candidate continues", (answer, granted) => {
  const world = new World([spec("a")]);
  world.go(reporting(asked));
  world.add({ type: "answered", id: "a.1", answer, command: "u" });
  expect(taskOf(world.state, "a")).toMatchObject({ phase: "candidate", granted });
  world.go(reporting(asked));
  expect(attempts(world)).toBe(1);
  expect(exitCode(world.state)).toBe(0);
  expect(summarise(world.state, false).questions).toEqual([]);
});

test("blocked for want of files, and granted: a new attempt, and the first does not count", () => {
  for (const settle of [grants, asks]) {
    const world = new World([spec("a")]);
    world.go(reporting(stuck, settle));
    if (settle === asks) world.add({ type: "answered", id: "a.1", answer: "grant", command: "u" });
    world.go(reporting(stuck, settle));
    expect(taskOf(world.state, "a")).toMatchObject({ phase: "integrated", attempts: 2, spent: 0, granted: ["x"] });
  }
});

test("blocked for want of files, and refused: blocked, with both reasons and a question in one's own words", () => {
  const world = new World([spec("a")]);
  world.go(reporting(stuck, refuses));
  const question = "I need x. It asked for more files: No.";
  expect(world.events).toContainEqual({
    ...{ type: "task-blocked", task: "a", attempt: 1, kind: "reported-blocked", why: question },
  });
  expect(summarise(world.state, false).questions).toEqual([
    { id: "a", task: "a", about: "blocked", question, options: [], files: [] },
  ]);
  world.add({ type: "answered", id: "a", answer: "Do without:\ncopy it.", command: "u" });
  expect(taskOf(world.state, "a")).toMatchObject({ phase: "pending", spent: 0, requests: 0 });
  expect(taskOf(world.state, "a").answers.at(-1)).toEqual({ question, answer: "Do without:\ncopy it." });
  world.go(reporting(stuck, refuses));
  expect(exitCode(world.state)).toBe(0);
});

test("a second answer, and one to a question that nobody asked, change nothing", () => {
  const world = new World([spec("a")]);
  world.go(reporting(asked));
  world.add({ type: "answered", id: "a.1", answer: "refuse", command: "u" });
  world.add({ type: "answered", id: "a.1", answer: "grant", command: "v" });
  world.add({ type: "answered", id: "b.1", answer: "grant", command: "w" });
  expect(taskOf(world.state, "a")).toMatchObject({ phase: "candidate", granted: [] });
});

test("an agent that is blocked by what it was granted asks for nothing new: its task is blocked", () => {
  const world = new World([spec("a")]);
  const script = reporting(stuck, grants);
  world.go((action, state) => {
    const event = script(action, state);
    if (event.type === "agent-finished") return { ...event, report: { ...stuck, summary: "", notes: "" } };
    if (event.type !== "candidate-made") return event;
    return { type: "work-rescued", task: "a", attempt: event.attempt, commit: null, ref: "", keptAt: null };
  });
  expect(taskOf(world.state, "a")).toMatchObject({ phase: "blocked", attempts: 2, granted: ["x"] });
});

test("done, but nothing changed: there is nothing to grant files for, and the next session learns so", () => {
  const world = new World([spec("a")]);
  const script = reporting(asked);
  world.go((action, state) => {
    const event = script(action, state);
    if (event.type !== "candidate-made" || event.attempt !== 1) return event;
    const failed = { result: "failed", reason: "no-change", why: "the session changed no file" } as const;
    return { type: "verdict", task: "a", attempt: 1, ...failed, tip: state.tip, placed: null, guards: [], checks: [] };
  });
  expect(taskOf(world.state, "a")).toMatchObject({ phase: "integrated", attempts: 2 });
  expect(taskOf(world.state, "a").feedback?.why).toBe(
    "the session changed no file. Its request for more files was not considered, because there is no candidate.",
  );
});

test("an infeasible task asks for no files", () => {
  const world = new World([spec("a")]);
  world.go(reporting({ status: "infeasible", reason: "no", needFiles: ["x"] }));
  expect(world.events.map(({ type }) => type)).not.toContain("question");
  expect(taskOf(world.state, "a").phase).toBe("blocked");
});

test("a grant lets the very change pass that failed without it", () => {
  const world = new World([spec("a")]);
  const script = reporting({}, grants);
  world.go((action, state) => {
    const event = script(action, state);
    if (event.type === "candidate-made") return { ...event, diff: "same" };
    if (event.type === "agent-finished" && event.attempt === 2) {
      return { ...event, report: { ...asked, summary: "", reason: "", notes: "" } };
    }
    const isFirst = event.type === "verdict" && event.attempt === 1;
    return isFirst ? { ...event, result: "failed", reason: "guard", why: "x was created" } : event;
  });
  expect(taskOf(world.state, "a")).toMatchObject({ phase: "integrated", attempts: 2 });
});

test("a question survives a crash at any event: what is folded again is the same", () => {
  const world = new World([spec("a")]);
  world.go(reporting(asked));
  world.add({ type: "answered", id: "a.1", answer: "grant", command: "u" });
  world.go(reporting(asked));
  for (let length = 1; length <= world.events.length; length += 1) {
    const again = new World([spec("a")]);
    again.events.splice(0, again.events.length, ...world.events.slice(0, length));
    again.state = fold(again.events)!;
    again.go(reporting(asked));
    if (again.state.questions.size > 0) again.add({ type: "answered", id: "a.1", answer: "grant", command: "u" });
    again.go(reporting(asked));
    expect(exitCode(again.state)).toBe(0);
    expect(attempts(again)).toBe(1);
  }
});

/** Two tasks at work: the agent of the first ends its turn by itself, nothing is known of the other's. */
function atWork(): World {
  const tasks = ["a", "b", "c"].map((id) => ({ ...spec(id), claims: { paths: [id], folders: [] } }));
  const world = new World(tasks, { parallel: 2 });
  for (const task of ["a", "b"]) {
    world.add({ type: "attempt-started", ...of(task, 1), base: "base", role: "executor" });
    world.add({ type: "baseline", ...of(task, 1), state: "red", why: "", checks: [] });
    const process = { pid: 1, startTime: "1", bootId: "b" };
    world.add({ type: "agent-started", ...of(task, 1), process, marker: "m", endsTurn: task === "a" });
  }
  return world;
}

const ended = (task: string): RunEvent => ({
  ...{ type: "agent-finished", ...of(task, 1), outcome: { kind: "ok" }, report: null, reportProblem: null },
  usage: { inputTokens: 0, outputTokens: 0, usd: 0 },
});
const receiver = { epoch: 1, pid: 7 };
const command = (request: Request): Command => ({ v: 1, id: "u", run: "r", epoch: 1, ...request });
const isOver = ({ state }: World, task: string) => isObsolete(state, { type: "work", task });

test("a pause lets the sessions finish that can; their work is saved, not verified, and nothing else is due", () => {
  const world = atWork();
  const pausing = decideCommand(world.state, command({ kind: "pause" }), receiver);
  expect(pausing).toEqual({ type: "pausing", command: "u", finishing: ["a"] });
  world.add(pausing);
  expect(["a", "b"].map((task) => isOver(world, task))).toEqual([false, true]);
  expect(decide(world.state)).toEqual([{ type: "end-session", task: "a" }]);
  const { state, reason, tasks } = summarise(world.state, true);
  expect({ state, reason, idle: tasks.map((task) => task.reason?.startsWith("interrupted") === true) }).toEqual({
    state: "pausing",
    reason: "1 session is finishing",
    idle: [false, true, false],
  });
  expect(summarise(world.state, false).state).toBe("paused");

  world.add(ended("a"));
  expect(decide(world.state)).toEqual([{ type: "collect", task: "a" }]);
  world.add({ type: "candidate-made", ...of("a", 1), commit: "c", paths: [], pathCount: 0, diff: "d" });
  expect(decide(world.state)).toEqual([{ type: "record", event: { type: "paused" } }]);
  world.add({ type: "paused" });
  expect(decide(world.state)).toEqual([]);
  expect(summarise(world.state, true).tasks[0]?.reason).toBe(
    "its session is over; the work is verified when the run resumes",
  );
  expect(summarise(world.state, true)).toMatchObject({ state: "paused", reason: "paused by a person" });
});

test("a pause waits for nothing where no process drives the run, no agent ends its turn, or a person does not want to wait", () => {
  const paused = { type: "paused", command: "u" };
  const { state } = atWork();
  expect(decideCommand(state, command({ kind: "pause", now: true }), receiver)).toEqual(paused);
  expect(decideCommand(state, command({ kind: "pause" }), { epoch: 1, pid: null })).toEqual(paused);
  const world = atWork();
  world.add(ended("a"));
  expect(decideCommand(world.state, command({ kind: "pause" }), receiver)).toEqual(paused);
});

test("while sessions finish, pause changes nothing, pause --now and stop end them, resume lets all continue", () => {
  const after = (...requests: Request[]) => {
    const world = atWork();
    for (const request of requests) world.add(decideCommand(world.state, command(request), receiver));
    return world;
  };
  const again = after({ kind: "pause" }, { kind: "pause" });
  expect(again.state).toEqual(after({ kind: "pause" }).state);
  for (const request of [{ kind: "pause", now: true }, { kind: "stop" }] as const) {
    const world = after({ kind: "pause" }, request);
    expect(isOver(world, "a"), request.kind).toBe(true);
    expect(decide(world.state), request.kind).toEqual([]);
  }
  // Once all is paused, no session is said to be finishing, also while its end is awaited.
  expect(after({ kind: "pause", now: true }, { kind: "pause" }).events.at(-1)?.type).toBe("paused");
  const resumed = after({ kind: "pause" }, { kind: "resume" });
  expect(resumed.state).toMatchObject({ paused: false, finishing: new Set() });
  expect(["a", "b"].map((task) => isOver(resumed, task))).toEqual([false, false]);
});
