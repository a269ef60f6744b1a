import { expect, test } from "vitest";
import { decideCommand, type Request } from "../../../src/engine/commands.ts";
import type { RunEvent } from "../../../src/engine/events.ts";
import { exitCode } from "../../../src/engine/exit-code.ts";
import { taskOf } from "../../../src/engine/state.ts";
import { summarise } from "../../../src/engine/summary.ts";
import { honest, settings, spec, usage, World } from "../../rig/world.ts";

const judge = { epoch: 2, pid: 77 };
const at = { task: "a", attempt: 1 } as const;

function command(request: Request, more: { readonly epoch?: number; readonly run?: string } = {}) {
  return { v: 1, id: "u", run: "r", epoch: 2, ...more, ...request } as const;
}

function ignored(request: Request, world: World): string {
  const event = decideCommand(world.state, command(request), judge);
  if (event.type !== "command-ignored") throw new Error(`accepted: ${JSON.stringify(event)}`);
  expect(event).toEqual({ type: "command-ignored", command: "u", kind: request.kind, why: event.why });
  return event.why;
}

/** Whose task `a` is blocked by its own report and `b` waits for it. */
function blocked(): World {
  const world = new World([spec("a"), spec("b", ["a"])]);
  world.add({ type: "attempt-started", ...at, base: "base", role: "executor" });
  world.add({ type: "task-blocked", ...at, kind: "reported-blocked", why: "which port?" });
  return world;
}

function working(): World {
  const world = new World([spec("a")]);
  world.add({ type: "attempt-started", ...at, base: "base", role: "executor" });
  return world;
}

function pausedAtWork(): World {
  const world = working();
  world.add({ type: "paused", command: "p" });
  return world;
}

function taken(): World {
  const world = new World([spec("a"), spec("b", ["a"])]);
  world.add({ type: "task-taken", task: "a", command: "t" });
  world.add({ type: "attempt-started", ...at, base: "base", role: "executor" });
  world.add({ type: "baseline", ...at, state: "red", why: "", checks: [] });
  world.add({ type: "workspace-given", ...at, path: "/w" });
  return world;
}

function asking(): World {
  const world = new World([spec("a")]);
  world.add({ type: "attempt-started", ...at, base: "base", role: "executor" });
  const report = { status: "done", summary: "", reason: "", needFiles: ["x"], notes: "" } as const;
  world.add({ type: "agent-finished", ...at, outcome: { kind: "ok" }, report, reportProblem: null, usage });
  world.add({ type: "candidate-made", ...at, commit: "c", paths: [], pathCount: 0, diff: "d" });
  const words = { about: "scope", question: "x?", options: ["grant", "refuse"], files: ["x"] } as const;
  world.add({ type: "question", ...at, id: "a-1", ...words });
  return world;
}

function finished(): World {
  const world = new World([spec("a")]);
  world.go(honest());
  return world;
}

test.each<[string, () => World, Request, RunEvent]>([
  ["pause", () => new World([spec("a")]), { kind: "pause" }, { type: "paused", command: "u" }],
  ["pause of a run that waits", blocked, { kind: "pause" }, { type: "paused", command: "u" }],
  [
    "stop",
    () => new World([spec("a")]),
    { kind: "stop" },
    { type: "stopped", why: "asked for by `stint stop`", command: "u" },
  ],
  [
    "requeue of a blocked task",
    blocked,
    { kind: "requeue", task: "a" },
    { type: "task-requeued", task: "a", command: "u" },
  ],
  [
    "requeue of a taken task",
    taken,
    { kind: "requeue", task: "a" },
    { type: "task-requeued", task: "a", command: "u" },
  ],
  [
    "take of a task that waits",
    () => new World([spec("a")]),
    { kind: "take", task: "a" },
    { type: "task-taken", task: "a", command: "u" },
  ],
  ["take of a blocked task", blocked, { kind: "take", task: "a" }, { type: "task-taken", task: "a", command: "u" }],
  ["submit of a taken task", taken, { kind: "submit", task: "a" }, { type: "task-submitted", ...at, command: "u" }],
  [
    "an answer in one's own words",
    blocked,
    { kind: "answer", question: "a", answer: "port 80" },
    { type: "answered", id: "a", answer: "port 80", command: "u" },
  ],
  [
    "an answer that is one of the options",
    asking,
    { kind: "answer", question: "a-1", answer: "grant" },
    { type: "answered", id: "a-1", answer: "grant", command: "u" },
  ],
])("%s becomes its event, which the run can fold", (_, world, request, event) => {
  const subject = world();
  expect(decideCommand(subject.state, command(request), judge)).toEqual(event);
  subject.add(event);
  expect(subject.state.commands.has("u")).toBe(true);
});

test.each<[string, () => World, Request, string]>([
  ["an unknown task", blocked, { kind: "requeue", task: "x" }, "no task x in run r. Its tasks: a, b"],
  [
    "requeue of a task that is not blocked",
    blocked,
    { kind: "requeue", task: "b" },
    "task b is waiting for its turn; only a task that is blocked or taken by hand can be requeued",
  ],
  ["requeue of a finished task", finished, { kind: "requeue", task: "a" }, "run r is finished"],
  ["take before its dependencies", blocked, { kind: "take", task: "b" }, "task b waits for a"],
  [
    "take of a task that an agent works on",
    working,
    { kind: "take", task: "a" },
    "task a is running; only a task that is waiting or blocked can be taken by hand. Wait for its verdict, or `stint stop --run r` first",
  ],
  [
    "take of a task of a paused run that an agent worked on",
    pausedAtWork,
    { kind: "take", task: "a" },
    "task a is paused with its run; only a task that is waiting or blocked can be taken by hand. Use `stint stop --run r` first",
  ],
  [
    "submit of a task nobody took",
    blocked,
    { kind: "submit", task: "a" },
    "task a is blocked; only a task taken by hand can be submitted. Take it first: `stint take a`",
  ],
  [
    "an unknown question",
    blocked,
    { kind: "answer", question: "q", answer: "x" },
    "no open question q in run r. Open ones: a",
  ],
  [
    "an answer where nothing is asked",
    () => new World([spec("a")]),
    { kind: "answer", question: "a", answer: "x" },
    "no open question a in run r. No question is open.",
  ],
  ["an empty answer", blocked, { kind: "answer", question: "a", answer: " " }, "the answer to a is empty"],
  [
    "an answer that is none of the options",
    asking,
    { kind: "answer", question: "a-1", answer: "maybe" },
    "answer question a-1 with one of: grant, refuse",
  ],
  ["resume of a run that is not paused", blocked, { kind: "resume" }, "run r is not paused"],
  ["pause of a finished run", finished, { kind: "pause" }, "run r is finished"],
  ["stop of a finished run", finished, { kind: "stop" }, "run r is finished"],
])("%s is ignored, and the reason names what there is", (_, world, request, why) => {
  expect(ignored(request, world())).toBe(why);
});

test("resume is for a paused run that somebody drives", () => {
  const world = blocked();
  world.add({ type: "paused", command: "p" });
  expect(decideCommand(world.state, command({ kind: "resume" }), judge)).toEqual({
    type: "resumed",
    why: "asked",
    pid: 77,
    settings: world.state.settings,
    command: "u",
  });
  expect(decideCommand(world.state, command({ kind: "resume" }), { epoch: 2, pid: null })).toMatchObject({
    type: "command-ignored",
    why: "run r is not running any more",
  });
});

test("resume is also for a run whose branch or remote did not take its work, until it did", () => {
  const at = { commit: "c", branch: "stint/p" };
  const ruling = (world: World) => decideCommand(world.state, command({ kind: "resume" }), judge).type;
  const world = blocked();
  world.add({ type: "publish-deferred", ...at, why: "It is checked out." });
  expect(ruling(world)).toBe("resumed");
  world.add({ type: "published", ...at });
  expect(ruling(world)).toBe("command-ignored");
});

test.each<Request>([{ kind: "pause" }, { kind: "requeue", task: "a" }, { kind: "answer", question: "a", answer: "x" }])(
  "a command of another epoch or run is stale, whatever it asks for: $kind",
  (request) => {
    const { state } = blocked();
    for (const epoch of [1, 3]) {
      expect(decideCommand(state, command(request, { epoch }), judge)).toEqual({
        type: "command-ignored",
        command: "u",
        kind: request.kind,
        why: `it was sent at epoch ${epoch}, and the run is at 2: another process has resumed it since`,
        stale: true,
      });
    }
    expect(decideCommand(state, command(request, { run: "s" }), judge)).toMatchObject({
      type: "command-ignored",
      why: "it was sent to run s",
      stale: true,
    });
    expect(decideCommand(state, command(request), judge).type).not.toBe("command-ignored");
  },
);

test("commands are idempotent: asked for twice, the run is as if asked for once", () => {
  for (const kind of ["pause", "stop"] as const) {
    const [once, twice] = [blocked(), blocked()];
    for (const world of [once, twice, twice]) world.add(decideCommand(world.state, command({ kind }), judge));
    expect(twice.state).toEqual(once.state);
  }
});

test("nothing is due while a run is paused, and its tasks continue where they were when it is resumed", () => {
  const world = new World([spec("a")]);
  world.add({ type: "attempt-started", ...at, base: "base", role: "executor" });
  world.add({ type: "paused", command: "p" });
  world.go(() => {
    throw new Error("something was due");
  });
  expect(summarise(world.state, true).state).toBe("paused");
  world.add({ type: "resumed", why: "asked", pid: 1, settings, command: "q" });
  world.go(honest());
  expect(taskOf(world.state, "a").attempts).toBe(1);
  expect(exitCode(world.state)).toBe(0);
});
