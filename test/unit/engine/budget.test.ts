import { expect, test } from "vitest";
import { whyRunCapped, whyTaskCapped } from "../../../src/engine/budget.ts";
import type { RunEvent, RunSettings } from "../../../src/engine/events.ts";
import { exitCode } from "../../../src/engine/exit-code.ts";
import type { Spending } from "../../../src/engine/session.ts";
import { spendingOf } from "../../../src/engine/spending.ts";
import { taskOf } from "../../../src/engine/state.ts";
import { summarise } from "../../../src/engine/summary.ts";
import { honest, settings, spec, World } from "../../rig/world.ts";

function raised(more: Partial<RunSettings>): RunEvent {
  return { type: "resumed", why: "driver-started", pid: 1, settings: { ...settings, ...more } };
}

test("a spent budget starts no further session and ends with 5; with a higher one the run continues", () => {
  const world = new World([spec("a"), spec("b")], { budgetUsd: 0.4 });
  world.go(honest());
  expect(world.state.parked).toMatchObject({ reason: "budget", why: "0.50 of 0.40 USD are spent" });
  expect(exitCode(world.state)).toBe(5);
  world.add(raised({ budgetUsd: 10 }));
  world.go(honest());
  expect(exitCode(world.state)).toBe(0);
});

test("a cap in tokens applies like one in money", () => {
  const world = new World([spec("a"), spec("b"), spec("c")], { budgetTokens: 22 });
  world.go(honest());
  expect(world.state.parked).toMatchObject({ reason: "budget", why: "22 of 22 tokens are used" });
  expect(world.state.counts.integrated).toBe(2);
  expect(exitCode(world.state)).toBe(5);
  world.add(raised({ budgetTokens: 100 }));
  world.go(honest());
  expect(exitCode(world.state)).toBe(0);
});

test("a task that reached its own cap is not started again, others continue, and the run ends with 5 and its name", () => {
  const world = new World([spec("dear"), spec("after", ["dear"]), spec("cheap")], { taskUsd: 0.9 });
  const crashing = honest((task) => (task === "dear" ? { kind: "crashed", detail: "exit 1" } : { kind: "ok" }));
  world.go(crashing);
  expect(taskOf(world.state, "dear")).toMatchObject({ attempts: 2, spent: 2, usage: { usd: 1 } });
  expect(taskOf(world.state, "cheap").phase).toBe("integrated");
  const why = "1.00 of 0.90 USD are spent, the cap per task";
  expect(world.state.parked).toMatchObject({ reason: "budget", why: `dear: ${why}` });
  expect(exitCode(world.state)).toBe(5);
  expect(summarise(world.state, false).tasks.map(({ id, state, reason }) => [id, state, reason])).toEqual([
    ["dear", "pending", why],
    ["after", "pending", "waits for dear"],
    ["cheap", "integrated", null],
  ]);
  world.add(raised({ taskUsd: 5 }));
  world.go(honest());
  expect(exitCode(world.state)).toBe(0);
});

test("work that was paid for is verified and kept, though its task has reached its cap", () => {
  const world = new World([spec("dear")], { taskUsd: 0.1 });
  world.go(honest());
  expect(exitCode(world.state)).toBe(0);
});

test("a session that a cap ended costs no attempt", () => {
  const world = new World([spec("a")], { budgetUsd: 0.4 });
  world.go(honest(() => ({ kind: "budget", detail: "0.50 of 0.40 USD are spent" })));
  expect(taskOf(world.state, "a")).toMatchObject({ phase: "pending", attempts: 1, spent: 0 });
  expect(exitCode(world.state)).toBe(5);
});

test("nobody waits hours for a limit to reset when the budget allows no further session anyway", () => {
  const world = new World([spec("a")], { budgetUsd: 0.4 });
  world.go(honest(() => ({ kind: "limit", until: "2030-01-01T00:00:00Z" })));
  expect(world.state.parked).toMatchObject({ reason: "budget", until: null });
});

test("sessions in parallel are summed with what is recorded: no one of them reaches the cap, all of them do", () => {
  const world = new World([spec("done"), spec("a"), spec("b")], { budgetUsd: 0.4 });
  world.go(honest());
  expect(world.state.usage.usd).toBe(0.5);
  world.add(raised({ budgetUsd: 2, budgetTokens: 100, taskUsd: 1.25, parallel: 2 }));
  const live = (a: Partial<Spending>, b: Partial<Spending>) => {
    const none = { inputTokens: 0, outputTokens: 0, usd: 0 };
    return new Map([
      ["a", spendingOf({ ...none, ...a })],
      ["b", spendingOf({ ...none, ...b })],
    ]);
  };
  expect(whyRunCapped(world.state, live({ usd: 1 }, { usd: 0.25 }))).toBeUndefined();
  expect(whyRunCapped(world.state, live({ usd: 1 }, { usd: 0.5 }))).toBe("2.00 of 2.00 USD are spent");
  expect(whyRunCapped(world.state, live({ inputTokens: 44 }, { outputTokens: 44 }))).toBeUndefined();
  expect(whyRunCapped(world.state, live({ inputTokens: 44 }, { outputTokens: 45 }))).toBe("100 of 100 tokens are used");
  expect(whyTaskCapped(world.state, "b", live({ usd: 1.25 }, { usd: 1 }))).toBeUndefined();
  expect(whyTaskCapped(world.state, "b", live({}, { usd: 1.25 }))).toBe("1.25 of 1.25 USD are spent, the cap per task");
});
