import { expect, test } from "vitest";
import { decide } from "../../../src/engine/decide.ts";
import { exitCode } from "../../../src/engine/exit-code.ts";
import type { Outcome, ProgramFacts } from "../../../src/engine/session.ts";
import { taskOf } from "../../../src/engine/state.ts";
import { nextSteps } from "../../../src/report/next-steps.ts";
import { honest, spec, World } from "../../rig/world.ts";

interface Session {
  readonly outcome?: Outcome;
  readonly program?: Partial<ProgramFacts>;
}

const ended: Outcome = { kind: "crashed", detail: "exit 1 without a final event" };
const facts = { durationMs: 900, usedTools: false, version: "2.1.197", tryWith: "claude -p hello" };
const broken: Session = {
  outcome: ended,
  program: { lastWords: "error: unknown option '--x'", falseStart: "unknown option" },
};

/** The sessions of all tasks in the order in which they end; further ones succeed. */
function sessions(list: readonly Session[]) {
  const left = [...list];
  const script = honest();
  return (...[action, state]: Parameters<typeof script>) => {
    const event = script(action, state);
    if (event.type !== "agent-finished") return event;
    const { outcome = event.outcome, program } = left.shift() ?? {};
    return { ...event, outcome, agent: "claude", program: { ...facts, ...program } };
  };
}

test("the same failure twice, within seconds and before any tool call, stops the run for a person", () => {
  const world = new World([spec("a"), spec("b")], { replan: "auto", replanMax: 3, attempts: 1 });
  world.go(sessions([broken, broken, broken]));
  expect(world.state.parked).toEqual({
    reason: "agent",
    why: "claude 2.1.197 failed twice within seconds, before any tool call: exit 1 without a final event: error: unknown option '--x'",
    until: null,
  });
  expect(exitCode(world.state)).toBe(3);
  expect(world.events.filter(({ type }) => type === "agent-finished")).toHaveLength(2);
  expect(world.events.map(({ type }) => type)).not.toContain("replan-requested");
  for (const id of ["a", "b"]) expect(taskOf(world.state, id)).toMatchObject({ phase: "pending", spent: 0 });
  expect(nextSteps(world.state)).toEqual([
    "Try `claude -p hello` yourself, check the network and `stint doctor`, then `stint resume r`.",
  ]);
});

test("a driver that starts on the journal after the first failure stops after the second, too", () => {
  const world = new World([spec("a")]);
  const script = sessions([broken, broken]);
  // The driver dies at the first step after the first session was collected.
  expect(() => {
    world.go((action, state) => {
      if (world.events.some(({ type }) => type === "work-rescued")) throw new Error("killed");
      return script(action, state);
    });
  }).toThrow("killed");
  world.add({ type: "resumed", why: "driver-started", pid: 1, settings: world.state.settings });
  world.refold();
  world.go(script);
  expect(world.state.parked?.reason).toBe("agent");
  expect(taskOf(world.state, "a").spent).toBe(0);
});

test("once it is fixed, the run finishes with all its attempts", () => {
  const world = new World([spec("a")], { attempts: 1 });
  world.go(sessions([broken, broken]));
  world.add({ type: "resumed", why: "driver-started", pid: 1, settings: world.state.settings });
  world.go(sessions([]));
  expect(exitCode(world.state)).toBe(0);
});

test.each<readonly [string, Session, number]>([
  ["crashes, but made no false start", { outcome: ended }, 2],
  ["is refused by the model", { outcome: { kind: "refused", detail: "no" } }, 2],
])("an agent that %s costs attempts", (_, session, spent) => {
  const world = new World([spec("a")]);
  world.go(sessions([session, session]));
  expect(taskOf(world.state, "a")).toMatchObject({ phase: "integrated", spent });
});

test("an agent whose output shows no tool calls costs attempts", () => {
  const world = new World([spec("a")]);
  world.go(honest((_, attempt) => (attempt < 3 ? ended : { kind: "ok" })));
  expect(taskOf(world.state, "a").spent).toBe(2);
});

test("a failure in other words costs an attempt, so that no run goes round for ever", () => {
  const world = new World([spec("a")]);
  const other = { outcome: ended, program: { falseStart: "exit 2" } };
  world.go(sessions([broken, other, broken, other, broken, other]));
  expect(taskOf(world.state, "a")).toMatchObject({ phase: "blocked", spent: 3 });
});

test("two failures are the same if the journal recorded them so, whatever their words are", () => {
  const again = { outcome: { kind: "crashed", detail: "exit 9" }, program: { falseStart: "unknown option" } } as const;
  const world = new World([spec("a")]);
  world.go(sessions([broken, again]));
  expect(world.state.parked?.reason).toBe("agent");
  const apart = new World([spec("a")]);
  apart.go(sessions([broken, { ...broken, program: { ...broken.program, falseStart: "unknown # option" } }]));
  expect(taskOf(apart.state, "a")).toMatchObject({ phase: "integrated", spent: 1 });
});

test("a session that reached a cap is no false start, whatever its program did", () => {
  const world = new World([spec("a")]);
  world.go(sessions([{ ...broken, outcome: { kind: "budget", detail: "$1" } }, broken]));
  expect(taskOf(world.state, "a")).toMatchObject({ phase: "integrated", spent: 0 });
});

test("a success in between forgets a failure", () => {
  const world = new World([spec("a"), spec("b", ["a"])]);
  world.go(sessions([broken, {}, broken, {}]));
  expect(exitCode(world.state)).toBe(0);
  expect([taskOf(world.state, "a").spent, taskOf(world.state, "b").spent]).toEqual([0, 0]);
});

test("a limit, an overload or a stop in between forgets nothing", () => {
  const world = new World([spec("a")]);
  world.go(sessions([broken, { outcome: { kind: "interrupted", detail: "" } }, broken]));
  expect(world.state.parked?.reason).toBe("agent");
});

test("an agent that answers another session meanwhile works after all: the role is free again, and only then", () => {
  for (const [outcome, code] of [
    [{ kind: "ok" }, 0],
    [{ kind: "timeout", detail: "60m" }, 3],
  ] as const) {
    const apart = ["a", "b"].map((id) => ({ ...spec(id), claims: { paths: [id], folders: [] } }));
    const world = new World(apart, { parallel: 2, attempts: 1, replan: "never" });
    const b = { task: "b", attempt: 1 };
    world.add({ type: "attempt-started", ...b, base: "base", role: "executor" });
    world.add({ type: "baseline", ...b, state: "red", why: "", checks: [] });
    world.add({ type: "agent-started", ...b, process: { pid: 1, startTime: "1", bootId: "b" }, marker: "m" });
    const script = sessions([broken, broken]);
    // The session of b is the last thing to end.
    for (let actions = decide(world.state); actions.length > 0; actions = decide(world.state)) {
      const action = actions.find((one) => !("task" in one && one.task === "b")) ?? actions[0]!;
      const event = action.type === "record" ? action.event : script(action, world.state);
      world.add(event.type === "agent-finished" && event.task === "b" ? { ...event, outcome } : event);
    }
    expect(exitCode(world.state)).toBe(code);
    expect(taskOf(world.state, "a")).toMatchObject({ phase: code === 0 ? "integrated" : "pending", spent: 0 });
  }
});

test("a missing login names the agent, its version and the command that logs it in", () => {
  const world = new World([spec("a")]);
  world.go(sessions([{ outcome: { kind: "auth", detail: "Not logged in" } }]));
  expect(world.state.parked).toMatchObject({ reason: "auth", why: "claude 2.1.197: Not logged in" });
  expect(nextSteps(world.state)).toEqual([
    "Log in with `stint login claude` (its sessions do not use your own login), or set its API key; then `stint resume r`.",
  ]);
});

test("a key that was refused names the variable it came from before it names a login", () => {
  const world = new World([spec("a")]);
  const program = { ...facts, keyFrom: "ANTHROPIC_API_KEY" };
  world.go(sessions([{ outcome: { kind: "auth", detail: "Invalid API key" }, program }]));
  expect(nextSteps(world.state)).toEqual([
    "Fix ANTHROPIC_API_KEY in your environment, or unset it and log in with `stint login claude`; then `stint resume r`.",
  ]);
});

test("an account without credit is not told to log in again", () => {
  const outcome: Outcome = { kind: "auth", detail: "400: billing_error: Credit balance is too low" };
  const world = new World([spec("a")]);
  world.go(sessions([{ outcome }]));
  expect(nextSteps(world.state)).toEqual([
    "Add credit to its account, set an API key, or log in to another account with `stint login claude`; then `stint resume r`.",
  ]);
  const keyed = new World([spec("a")]);
  keyed.go(sessions([{ outcome, program: { ...facts, keyFrom: "ANTHROPIC_API_KEY" } }]));
  expect(nextSteps(keyed.state)[0]).toMatch(/^Add credit to the account of ANTHROPIC_API_KEY, set another key, or /);
});
