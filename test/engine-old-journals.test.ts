import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { RunEvent } from "../src/engine/events.ts";
import { decide } from "../src/engine/decide.ts";
import { fold } from "../src/engine/evolve.ts";
import { exitCode } from "../src/engine/exit-code.ts";
import { summarise } from "../src/engine/summary.ts";
import { realFiles } from "../src/journal/file-port.ts";
import { readFrom } from "../src/journal/follow.ts";
import { journalStart } from "../src/journal/scan.ts";

/** Recorded with 0.1.0: a crash, a usage limit, two tasks integrated, then the cap of `--budget-usd 1.2`. */
const recorded = "test/fixtures/journal-0.1.0.jsonl";

function events(): RunEvent[] {
  return readFileSync(recorded, "utf8")
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
