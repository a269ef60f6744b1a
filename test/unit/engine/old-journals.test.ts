import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { RunEvent } from "../../../src/engine/events.ts";
import { decide } from "../../../src/engine/decide.ts";
import { fold } from "../../../src/engine/evolve.ts";
import { exitCode } from "../../../src/engine/exit-code.ts";
import { taskOf } from "../../../src/engine/state.ts";
import { summarise } from "../../../src/engine/summary.ts";
import { realFiles } from "../../../src/journal/file-port.ts";
import { readFrom } from "../../../src/journal/follow.ts";
import { journalStart } from "../../../src/journal/scan.ts";
import { honest, settings, World } from "../../rig/world.ts";

/** Recorded with 0.1.0: a crash, a usage limit, two tasks integrated, then the cap of `--budget-usd 1.2`. */
const recorded = "test/fixtures/journal-0.1.0.jsonl";

/** Recorded before there were lanes: an attempt that failed, a usage limit, a task reported blocked, then kill -9 in a session. */
const beforeLanes = "test/fixtures/journal-0.2.jsonl";

function events(file = recorded): RunEvent[] {
  return readFileSync(file, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as RunEvent);
}

test("a journal of 0.1.0 is read whole: its chain of hashes holds", () => {
  const read = readFrom(realFiles, recorded, journalStart);
  expect(read.ok && read.value.entries.length).toBe(32);
});

test("a journal of 0.1.0 folds to where its run stood, with what it could not know left open", () => {
  const state = fold(events())!;
  expect(exitCode(state)).toBe(5);
  expect(state.settings).toMatchObject({ budgetUsd: 1.2, budgetTokens: null, taskUsd: null, askedUsd: 1.2 });
  const { cost, cost_by_role, tasks } = summarise(state, false);
  expect(cost).toEqual({ usd: 1.25, input_tokens: 1710, output_tokens: 232, unpriced_tokens: 730 });
  expect(cost_by_role).toEqual({ executor: cost });
  expect(tasks.map(({ id, state, attempts }) => [id, state, attempts])).toEqual([
    ["01-a", "integrated", 2],
    ["02-b", "integrated", 2],
    ["03-c", "pending", 0],
  ]);
});

test("a run of 0.1.0 goes on under a higher cap", () => {
  const settings = { parallel: 1, attempts: 3, escalateAfter: 2, budgetUsd: 5 };
  const state = fold([...events(), { type: "resumed", why: "driver-started", pid: 1, settings }])!;
  expect(decide(state)).toMatchObject([{ type: "record", event: { type: "attempt-started", task: "03-c" } }]);
});

/** The world as a driver of today takes it up. */
function takenUp(parallel: number): World {
  const world = new World([]);
  world.events.splice(0, 1, ...events(beforeLanes));
  world.refold();
  world.add({ type: "resumed", why: "driver-started", pid: 1, settings: { ...settings, parallel } });
  return world;
}

test("a journal from before there were lanes is read whole, and its run stands where it stood", () => {
  const read = readFrom(realFiles, beforeLanes, journalStart);
  expect(read.ok && read.value.entries.length).toBe(40);
  const { tasks, questions } = summarise(fold(events(beforeLanes))!, false);
  expect(tasks.map(({ id, state, attempts }) => [id, state, attempts])).toEqual([
    ["01-a", "integrated", 2],
    ["02-b", "integrated", 2],
    ["03-c", "blocked", 1],
    ["04-d", "running", 1],
    ["05-e", "pending", 0],
  ]);
  expect(questions).toMatchObject([{ id: "03-c", about: "blocked", question: "which colour?" }]);
});

test("a run from before there were lanes goes on with several; its session is ended first, its question can be answered", () => {
  const world = takenUp(3);
  expect(decide(world.state)).toMatchObject([
    { type: "end-session", task: "04-d" },
    { type: "record", event: { type: "attempt-started", task: "05-e", base: world.state.tip } },
  ]);
  world.go(honest());
  expect(world.state.parked).toMatchObject({ reason: "blocked", why: "03-c" });
  expect([exitCode(world.state), taskOf(world.state, "04-d").attempt]).toEqual([3, 2]);
  world.add({ type: "answered", id: "03-c", answer: "red", command: "x" });
  world.go(honest());
  expect(exitCode(world.state)).toBe(0);
});
