import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { RunEvent } from "../../../src/engine/events.ts";
import { fold } from "../../../src/engine/evolve.ts";
import { exitCode } from "../../../src/engine/exit-code.ts";
import { summarise } from "../../../src/engine/summary.ts";
import { realFiles } from "../../../src/journal/file-port.ts";
import { readFrom } from "../../../src/journal/follow.ts";
import { journalStart } from "../../../src/journal/scan.ts";
import { honest, spec, World } from "../../rig/world.ts";

/** Recorded with the program of that day, by its own tests (`replan.jsonl` by the simulator). What changes the events later has to fold these as they are. */
const folder = "test/fixtures/journals-2026-11-16";

function eventsOf(name: string): RunEvent[] {
  const read = readFrom(realFiles, join(folder, name), journalStart);
  if (!read.ok) throw new Error(read.failure.message);
  return read.value.entries as readonly unknown[] as RunEvent[];
}

/** The exit code and, for each task, where it stands after how many attempts. */
const stood: Record<string, readonly [number, string]> = {
  "by-hand.jsonl": [0, "01-a integrated 1, 02-b integrated 2"],
  "commands.jsonl": [0, "01-a integrated 2"],
  "deferred.jsonl": [0, "01-a integrated 1, 02-b integrated 1"],
  "pausing.jsonl": [0, "01-a integrated 1, 02-b pending 0"],
  "judge.jsonl": [0, "01-a integrated 1"],
  "push.jsonl": [0, "01-a integrated 1, 02-b integrated 1"],
  "question.jsonl": [0, "01-a integrated 1"],
  "replan.jsonl": [0, "01a integrated 1, 01b integrated 1, 02 integrated 1"],
  "requeued.jsonl": [1, "01-a pending 1"],
  "scope.jsonl": [0, "01-a integrated 1, 02-b integrated 2"],
  "work-lost.jsonl": [0, "01-a integrated 1, 02-b integrated 2"],
};

test.each(readdirSync(folder))("%s folds to where its run stood.", (name) => {
  const state = fold(eventsOf(name))!;
  const tasks = summarise(state, false).tasks.map((task) => `${task.id} ${task.state} ${task.attempts}`);
  expect([exitCode(state), tasks.join(", ")]).toEqual(stood[name]);
});

test("Every type of event is in one of the recorded journals: a new one is recorded, too, before it is released.", () => {
  const known = readFileSync("src/engine/events.ts", "utf8").matchAll(/readonly type: "([a-z-]+)"/g);
  const types = readdirSync(folder).flatMap((name) => eventsOf(name).map(({ type }) => type));
  expect(new Set(types)).toEqual(new Set([...known].map(([, type]) => type)));
});

test("a replay of any prefix of a journal folds to the state the run had then", () => {
  const world = new World([spec("a"), spec("b", ["a"])]);
  const seen: string[] = [];
  world.go((action, state) => {
    seen.push(JSON.stringify([...state.tasks.values()]));
    return honest()(action, state);
  });
  const whole = fold(world.events)!;
  expect(JSON.stringify([...whole.tasks.values()])).toBe(JSON.stringify([...world.state.tasks.values()]));
  expect(whole.tip).toBe(world.state.tip);
  expect(seen.length).toBeGreaterThan(5);
});
