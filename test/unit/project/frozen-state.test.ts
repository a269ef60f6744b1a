import * as fc from "fast-check";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { deserialize, serialize } from "node:v8";
import { expect, test } from "vitest";
import type { RunEvent } from "../../../src/engine/events.ts";
import { decide } from "../../../src/engine/decide.ts";
import { evolve, fold } from "../../../src/engine/evolve.ts";
import type { RunState } from "../../../src/engine/state.ts";
import { summarise } from "../../../src/engine/summary.ts";
import { realFiles } from "../../../src/journal/file-port.ts";
import { readFrom } from "../../../src/journal/follow.ts";
import { journalStart } from "../../../src/journal/scan.ts";
import { freeze, thaw } from "../../../src/project/frozen-state.ts";
import { TrainWorld, type Result } from "../../rig/train-world.ts";
import { spec } from "../../rig/world.ts";

/** All of a state, in plain objects; the two indexes by what they answer. */
function plain(state: RunState | undefined): unknown {
  if (state === undefined) return undefined;
  const ids = [...state.tasks.keys()];
  const tasks = [...state.tasks].map(([id, { spec: own, ...task }]) => [id, { ...task, spec: { ...own } }]);
  return { ...state, tasks, ready: [...state.ready], meetings: ids.map((id) => state.meetings.of(id)) };
}

function stored(state: RunState): RunState {
  return thaw(deserialize(serialize(freeze(state))));
}

/** The state after all events, where it was stored after the first `at` of them. */
function interrupted(events: readonly RunEvent[], at: number): RunState | undefined {
  const before = fold(events.slice(0, at));
  return events.slice(at).reduce(evolve, before && stored(before));
}

function expectSame(events: readonly RunEvent[], at: number) {
  const [whole, resumed] = [fold(events), interrupted(events, at)];
  // First by those who ask for little: they must not see a state that is only half there.
  if (whole !== undefined) expect(summarise(resumed!, false)).toStrictEqual(summarise(whole, false));
  if (whole !== undefined) expect(decide(resumed!)).toEqual(decide(whole));
  expect(plain(resumed)).toStrictEqual(plain(whole));
}

const folder = "test/fixtures/journals-2026-11-16";

test.each(readdirSync(folder))("%s folds to the same state, wherever it was stored in between", (name) => {
  const read = readFrom(realFiles, join(folder, name), journalStart);
  const events = (read.ok ? read.value.entries : []) as readonly unknown[] as RunEvent[];
  expect(events.length).toBeGreaterThan(5);
  for (let at = 0; at <= events.length; at += 1) expectSame(events, at);
});

test("a run with failures, conflicts, judges and crashes folds to the same state, wherever it was stored in between", () => {
  const tasks = [spec("a"), spec("b", ["a"]), spec("c"), spec("d", ["b", "c"]), spec("e")];
  fc.assert(
    fc.property(fc.infiniteStream(fc.double({ min: 0, max: 0.999, noNaN: true })), fc.nat(), (chances, cut) => {
      const chance = () => chances.next().value as number;
      const resultOf = (): Result => (chance() < 0.6 ? "passed" : chance() < 0.5 ? "failed" : "conflict");
      const world = new TrainWorld(tasks, { parallel: 3 }, { chance, resultOf, questions: ["Is it good?"] });
      for (let step = 0; step < 150 && world.begin(); step += 1) {
        if (chance() < 0.02) world.crash();
        else world.step();
      }
      expectSame(world.events, 1 + (cut % world.events.length));
    }),
    { numRuns: 30 },
  );
});

test("a state that was stored can be stored again, whether it was read meanwhile or not", () => {
  const world = new TrainWorld([spec("a"), spec("b")], {}, { chance: () => 0, resultOf: () => "passed" });
  while (world.begin()) world.step();
  const again = stored(stored(world.state));
  expect(plain(again)).toStrictEqual(plain(world.state));
  expect(plain(stored(again))).toStrictEqual(plain(world.state));
});
