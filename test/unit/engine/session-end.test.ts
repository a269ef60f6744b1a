import { expect, test } from "vitest";
import type { Action } from "../../../src/engine/action.ts";
import { exitCode } from "../../../src/engine/exit-code.ts";
import { nextSteps } from "../../../src/report/next-steps.ts";
import type { Outcome } from "../../../src/engine/session.ts";
import { taskOf } from "../../../src/engine/state.ts";
import { summarise } from "../../../src/engine/summary.ts";
import { honest, settings, spec, World } from "../../rig/world.ts";

/** The first session ends so, the others work. */
function first(outcome: Outcome) {
  return honest((_, attempt) => (attempt === 1 ? outcome : { kind: "ok" }));
}

test.each([
  ["refused", "the session was refused by the agent: no"],
  ["crashed", "the session crashed: no"],
  ["timeout", "the session ran out of time: no"],
  ["idle", "the session went silent and was stopped: no"],
] as const)("%s costs an attempt, and the next one is told why", (kind, why) => {
  const world = new World([spec("a")]);
  world.go(first({ kind, detail: "no" }));
  expect(taskOf(world.state, "a")).toMatchObject({
    spent: 1,
    attempts: 2,
    feedback: { attempt: 1, reason: kind, why },
  });
  expect(exitCode(world.state)).toBe(0);
});

test("a task that outgrew the context asks for another plan and is blocked with that reason; other tasks continue", () => {
  const world = new World([spec("big"), spec("small")]);
  world.go(honest((task) => (task === "big" ? { kind: "context", detail: "200000 tokens" } : { kind: "ok" })));
  const why = "the task is too big for one session: the session outgrew the agent's context: 200000 tokens";
  expect(world.events.filter(({ type }) => type === "replan-requested" || type === "task-blocked")).toEqual([
    { type: "replan-requested", task: "big", attempt: 1, why },
    { type: "task-blocked", task: "big", attempt: 1, kind: "too-big", why },
  ]);
  expect(taskOf(world.state, "big").spent).toBe(1);
  expect(taskOf(world.state, "small").phase).toBe("integrated");
  expect(exitCode(world.state)).toBe(3);
});

test("a task that used up its attempts asks for another plan before it is blocked, and again after a requeue", () => {
  const world = new World([spec("a")], { attempts: 1 });
  const crashing = honest(() => ({ kind: "crashed", detail: "exit 1" }));
  world.go(crashing);
  world.add({ type: "task-requeued", task: "a", command: "x" });
  world.go(crashing);
  const asked = world.events.flatMap((event) =>
    event.type === "replan-requested" || event.type === "task-blocked" ? [[event.type, event.attempt]] : [],
  );
  expect(asked).toEqual([
    ["replan-requested", 1],
    ["task-blocked", 1],
    ["replan-requested", 2],
    ["task-blocked", 2],
  ]);
});

test("a task that reported itself blocked asks for no other plan", () => {
  const world = new World([spec("a")]);
  const script = honest();
  const report = { status: "blocked", summary: "", reason: "no key", needFiles: [], notes: "" } as const;
  world.go((action, state) => {
    const event = script(action, state);
    if (event.type === "candidate-made") return { ...event, type: "work-rescued", commit: null, ref: "", keptAt: null };
    return event.type === "agent-finished" ? { ...event, report } : event;
  });
  expect(world.events.map(({ type }) => type)).not.toContain("replan-requested");
  expect(world.events.map(({ type }) => type)).toContain("task-blocked");
});

test("overload backs off and continues, and costs no attempt", () => {
  const world = new World([spec("a")]);
  const parks: Action[] = [];
  const script = first({ kind: "overloaded", detail: "529" });
  const watched: typeof script = (action, state) => {
    if (action.type === "park") parks.push(action);
    return script(action, state);
  };
  world.go(watched);
  expect(parks).toMatchObject([{ reason: "overloaded", why: "529", afterMs: 60_000 }]);
  world.add({ type: "resumed", why: "wait-over", pid: 1, settings });
  world.go(watched);
  expect(taskOf(world.state, "a").spent).toBe(0);
  expect(exitCode(world.state)).toBe(0);
});

test("a service that could not be reached is waited for, and the address is to be checked", () => {
  const world = new World([spec("a")]);
  const detail = "server_error: API Error: Connection refused (ECONNREFUSED)";
  world.go(first({ kind: "overloaded", detail }));
  expect(world.state.parked).toMatchObject({
    reason: "overloaded",
    why: `its service could not be reached: ${detail}`,
  });
  expect(nextSteps(world.state)).toEqual([
    expect.stringMatching(/^Check the network, and the base URL .*, then `stint resume r`\.$/),
  ]);
});

test("honest: a service that is overloaded is only to be tried later", () => {
  const world = new World([spec("a")]);
  world.go(first({ kind: "overloaded", detail: "529: server_error: Overloaded" }));
  expect(nextSteps(world.state)).toEqual(["Try `stint resume r` later."]);
});

test.each([
  ["auth", "auth", "not logged in"],
  ["misconfigured", "agent", "the model x is not known"],
] as const)("%s parks the run for a person at once, with 3 and no attempt lost", (kind, reason, detail) => {
  const world = new World([spec("a"), spec("b"), spec("c")]);
  const parks: Action[] = [];
  world.go((action, state) => {
    if (action.type === "park") parks.push(action);
    return first({ kind, detail })(action, state);
  });
  // No time to wait for: only a person ends it.
  expect(parks).toMatchObject([{ reason, until: null, afterMs: null }]);
  expect(world.events.filter(({ type }) => type === "attempt-started")).toHaveLength(1);
  expect(world.state.parked).toEqual({ reason, why: detail, until: null });
  expect(exitCode(world.state)).toBe(3);
  world.add({ type: "resumed", why: "driver-started", pid: 1, settings });
  world.go(first({ kind, detail }));
  expect(exitCode(world.state)).toBe(3);
  world.add({ type: "resumed", why: "driver-started", pid: 1, settings });
  world.go(honest());
  expect([...world.state.tasks.values()].map(({ spent }) => spent)).toEqual([0, 0, 0]);
  expect(exitCode(world.state)).toBe(0);
});

test("in parallel, one missing login is one notice, whatever limit comes with it", () => {
  const world = new World([spec("a"), spec("b"), spec("c")], { parallel: 3 });
  const ends: Record<string, Outcome> = {
    a: { kind: "auth", detail: "not logged in" },
    b: { kind: "limit", until: "2030-01-01T00:00:00Z" },
    c: { kind: "auth", detail: "not logged in" },
  };
  world.go(honest((task) => ends[task] ?? { kind: "ok" }));
  expect(world.events.filter(({ type }) => type === "parked")).toEqual([
    { type: "parked", reason: "auth", why: "not logged in", until: null },
  ]);
});

test("in parallel, three sessions at one limit are one wait, so that the back-off does not run ahead", () => {
  const world = new World([spec("a"), spec("b"), spec("c")], { parallel: 3 });
  world.go(honest(() => ({ kind: "limit", until: null })));
  world.add({ type: "resumed", why: "wait-over", pid: 1, settings });
  expect(world.state.holdStreak).toBe(1);
});

const easyAndHard = [spec("a"), spec("b"), { ...spec("hard"), complexity: "high" as const }];

test("a role whose agent is not logged in holds up no task of a role with another agent", () => {
  const world = new World(easyAndHard);
  const auth: Outcome = { kind: "auth", detail: "not logged in" };
  world.go(honest((task) => (task === "hard" ? { kind: "ok" } : auth)));
  const { tasks } = summarise(world.state, false);
  expect(tasks.map(({ id, state, attempts }) => [id, state, attempts])).toEqual([
    ["a", "pending", 1],
    ["b", "pending", 0],
    ["hard", "integrated", 1],
  ]);
  // The run waits for the same, and says why; while another task keeps it busy, the task does.
  expect(tasks[1]?.reason).toBe("waits for its agent");
  const busy = summarise({ ...world.state, parked: null }, false);
  expect(busy.tasks[1]?.reason).toBe("waits for its agent: not logged in");
  expect(world.state.parked).toMatchObject({ reason: "auth", why: "not logged in" });
  expect(nextSteps(world.state)[0]).toMatch(/^Log the agent in with `stint login`, or fix its key; then /);
  expect(exitCode(world.state)).toBe(3);
});

test("of two roles, the one whose hold ends by itself is waited for first, and the run continues then", () => {
  const world = new World(easyAndHard);
  const until = "2030-01-01T00:00:00Z";
  const script = honest((task, attempt) => {
    if (task !== "hard") return { kind: "auth", detail: "not logged in" };
    return attempt === 1 ? { kind: "limit", until } : { kind: "ok" };
  });
  world.go(script);
  expect(world.state.parked).toMatchObject({ reason: "limit", until });
  world.add({ type: "resumed", why: "wait-over", pid: 1, settings });
  world.go(script);
  expect(taskOf(world.state, "hard").phase).toBe("integrated");
  expect(world.state.parked).toMatchObject({ reason: "auth", until: null });
});
