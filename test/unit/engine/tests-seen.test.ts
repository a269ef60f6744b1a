import { expect, test } from "vitest";
import type { CheckEvidence, TestsRun } from "../../../src/engine/evidence.ts";
import { commitAt, counted, noteTests, positionOf } from "../../../src/engine/tests-seen.ts";
import { spec, World } from "../../rig/world.ts";

const vitest = (run: number, skipped = 0): TestsRun => ({ runner: "vitest", run, skipped, groups: {} });
const check = (tests: readonly TestsRun[], more: Partial<CheckEvidence> = {}): CheckEvidence => ({
  ...{ key: "k", label: "npm test", state: "green", why: "", tail: "", durationMs: 1, tests },
  ...more,
});

function landed(...commits: readonly string[]) {
  const { state } = new World([spec("a")]);
  state.landed.push(...commits.map((commit) => ({ task: "a", commit })));
  return state;
}

test("a commit has its place on the run's branch; one that has not landed comes after all that have", () => {
  const state = landed("one", "two");
  expect(["base", "one", "two", "three"].map((commit) => positionOf(state, commit))).toEqual([0, 1, 2, 2]);
  expect([0, 1, 2].map((at) => commitAt(state, at))).toEqual(["base", "one", "two"]);
});

test("what a check ran on an older commit does not replace what it ran on a newer one", () => {
  const state = landed("one", "two");
  noteTests(state, "two", [check([vitest(12)])]);
  noteTests(state, "one", [check([vitest(7)])]);
  expect(state.testsSeen.get("k")).toEqual({ at: 2, tests: [vitest(12)] });
  noteTests(state, "two", [check([])]);
  expect(state.testsSeen.get("k")).toEqual({ at: 2, tests: [] });
});

test("a check that could not run, and an answer of a judge, say nothing about tests", () => {
  const state = landed("one");
  const { key: _, ...judged } = check([vitest(1)]);
  noteTests(state, "one", [check([], { state: "broken" }), check([], { state: "red", cause: "set-up" }), judged]);
  expect(state.testsSeen.size).toBe(0);
});

test("tests are counted in words", () => {
  expect(counted([vitest(12, 3)])).toBe("12 tests of vitest, 3 skipped");
  expect(counted([vitest(1)])).toBe("1 test of vitest");
  expect(counted([vitest(0)])).toBe("no tests of vitest");
  expect(counted([vitest(2), { ...vitest(3), runner: "pytest" }])).toBe("5 tests of vitest and pytest");
});
