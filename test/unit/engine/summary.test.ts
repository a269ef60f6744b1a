import { expect, test } from "vitest";
import { exitCode } from "../../../src/engine/exit-code.ts";
import { summarise } from "../../../src/engine/summary.ts";
import type { Outcome } from "../../../src/engine/session.ts";
import { honest, spec, World, usage } from "../../rig/world.ts";

test("costs are kept per task and per role, and tokens without a price are counted separately", () => {
  const world = new World([spec("a"), { ...spec("b"), complexity: "high" }]);
  const script = honest();
  world.go((action, state) => {
    const event = script(action, state);
    return event.type === "agent-finished" && event.task === "a" ? { ...event, usage: { ...usage, usd: 0 } } : event;
  });
  const { cost, cost_by_role, tasks, budget } = summarise(world.state, false);
  expect(cost).toEqual({ usd: 0.5, input_tokens: 20, output_tokens: 2, unpriced_tokens: 11 });
  expect(cost_by_role).toEqual({
    executor: { usd: 0, input_tokens: 10, output_tokens: 1, unpriced_tokens: 11 },
    escalation: { usd: 0.5, input_tokens: 10, output_tokens: 1 },
  });
  expect(tasks.map((task) => task.cost)).toEqual([cost_by_role["executor"], cost_by_role["escalation"]]);
  expect(budget).toEqual({ usd: null, tokens: null, task_usd: null });
});

test("a task taken while the run is paused is shown as taken, with when its workspace is created", () => {
  const world = new World([spec("a")]);
  world.add({ type: "paused", command: "p" });
  world.add({ type: "task-taken", task: "a", command: "t" });
  const reason = "its workspace is created when the run resumes";
  expect(summarise(world.state, true).tasks).toMatchObject([{ id: "a", state: "taken", reason }]);
});

test("a run that is stopped while it is paused is stopped", () => {
  const world = new World([spec("a")]);
  world.add({ type: "paused", command: "p" });
  world.add({ type: "stopped", why: "interrupted" });
  expect(summarise(world.state, false)).toMatchObject({ state: "stopped", reason: "interrupted" });
  expect(exitCode(world.state)).toBe(130);
});

test("what blocks an agent is shown without what a terminal obeys, and is cut", () => {
  const world = new World([spec("a")]);
  const why = `\u001b[2Jwhy?\n${"y".repeat(100_000)}`;
  world.add({ type: "attempt-started", task: "a", attempt: 1, base: "base", role: "executor" });
  world.add({ type: "task-blocked", task: "a", attempt: 1, kind: "reported-blocked", why });
  const [question] = summarise(world.state, false).questions;
  expect(question?.question.startsWith("\\u{1b}[2Jwhy?\nyyy")).toBe(true);
  expect(question?.question.length).toBeLessThan(11_000);
});

test("attempts that do not count are counted apart from those that do", () => {
  const world = new World([spec("a")]);
  const ends = [
    { kind: "interrupted", detail: "paused" },
    { kind: "crashed", detail: "exit 1" },
    { kind: "ok" },
  ] as const;
  let session = 0;
  world.go(honest(() => ends[session++] ?? { kind: "ok" }));
  expect(summarise(world.state, false).tasks).toMatchObject([{ state: "integrated", attempts: 3, uncounted: 1 }]);
});

test("a run that died after a session says what becomes of it: a crash counts, a limit does not, work is verified", () => {
  const of = { task: "a", attempt: 1 } as const;
  const shown = (outcome: Outcome) => {
    const world = new World([spec("a")]);
    world.add({ type: "attempt-started", ...of, base: "base", role: "executor" });
    world.add({ type: "agent-finished", ...of, outcome, report: null, reportProblem: null, usage });
    const [task] = summarise(world.state, false).tasks;
    return [task?.uncounted, task?.reason];
  };
  expect([
    shown({ kind: "crashed", detail: "exit 1" }),
    shown({ kind: "interrupted", detail: "paused" }),
    shown({ kind: "ok" }),
  ]).toEqual([
    [0, "the session crashed: exit 1; recorded when the run resumes"],
    [1, "interrupted, not counted as an attempt; restarts when the run resumes"],
    [0, "its session is over; the work is verified when the run resumes"],
  ]);
});

test("a run that has done the tasks asked for says which it left, without the journal's word for that", () => {
  const world = new World([spec("a"), spec("b")], { only: ["a"] });
  world.go(honest());
  expect(summarise(world.state, false)).toMatchObject({ state: "waiting", reason: "not asked for: b" });
});
