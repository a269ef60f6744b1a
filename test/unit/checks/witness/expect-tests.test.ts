import { expect, test } from "vitest";
import type { CheckEvidence, TestsRun } from "../../../../src/engine/evidence.ts";
import type { ChangeStatus } from "../../../../src/plan/protected.ts";
import { counted } from "../../../../src/engine/tests-seen.ts";
import { expectTests, withHeard } from "../../../../src/checks/witness/expect-tests.ts";

const shown: CheckEvidence = { label: "npm test", state: "green", why: "exit 0", tail: "", durationMs: 1 };

const names = { failing: [], others: [] };

function ran(groups: Record<string, number>, more: Partial<TestsRun> = {}): TestsRun {
  const run = Object.values(groups).reduce((sum, count) => sum + count, 0);
  return { runner: "vitest", run, skipped: 0, groups, ...more };
}

test("a green command without a test runner is believed for its exit code alone, and says so", () => {
  const silence = { tests: [], unended: [], failed: 0, names };
  expect(withHeard(shown, silence)).toEqual({ ...shown, proof: "exit code only" });
  expect(withHeard({ ...shown, state: "red" }, silence)).toEqual({ ...shown, state: "red" });
});

test("a runner that began and did not end is red, whatever it exits with", () => {
  const tests = [ran({ "a.test.ts": 2 })];
  expect(withHeard(shown, { tests, unended: ["vitest"], failed: 0, names })).toEqual({
    ...shown,
    state: "red",
    why: "exit 0, but vitest started and did not finish: 2 tests of vitest",
    tests,
  });
  expect(
    withHeard({ ...shown, state: "red", why: "exit 1" }, { tests, unended: ["vitest"], failed: 0, names }).why,
  ).toBe("exit 1");
});

test("a failed test is red, whatever the command exits with, unless the command says that it may fail", () => {
  const heard = { tests: [ran({ "a.test.ts": 2 })], unended: [], failed: 2, names };
  expect(withHeard({ ...shown, label: "npm test | tee log" }, heard).why).toBe("exit 0, but 2 tests failed");
  expect(withHeard({ ...shown, label: "! npm test" }, heard).state).toBe("green");
  expect(withHeard({ ...shown, label: "npm test || true" }, heard).state).toBe("green");
});

test("failing tests are named, and of those asked about the ones that were heard and did not fail", () => {
  const heard = { tests: [ran({ "a.test.ts": 3 })], unended: [], failed: 1 };
  const found = { ...heard, names: { failing: ["a.test.ts: adds"], others: ["a.test.ts: sums", "a.test.ts: rounds"] } };
  const red = { ...shown, state: "red" as const };
  expect(withHeard(red, found).failing).toEqual(["a.test.ts: adds"]);
  expect(withHeard(red, found).unfailing).toBeUndefined();
  const asked = ["a.test.ts: adds", "a.test.ts: rounds", "a.test.ts: gone"];
  expect(withHeard(red, found, asked).unfailing).toEqual(["a.test.ts: rounds"]);
});

test("what ran is said in a few words", () => {
  expect(counted([ran({ a: 1 })])).toBe("1 test of vitest");
  expect(counted([ran({}, { runner: "jest", skipped: 2 })])).toBe("no tests of jest, 2 skipped");
  expect(counted([ran({ a: 1 }), ran({ b: 2 }, { runner: "pytest" })])).toBe("3 tests of vitest and pytest");
});

/** `named.test.ts` may change and go, `kept.test.ts` only change. */
const named = (path: string, how: ChangeStatus) => path === "named.test.ts" || (path === "kept.test.ts" && how !== "D");

test.each<[string, { now: TestsRun[]; before?: TestsRun[]; isGoal?: boolean }, string]>([
  ["a goal whose runner ran nothing", { now: [ran({})], isGoal: true }, "vitest ran no test"],
  [
    "a goal all of whose tests are skipped",
    { now: [ran({}, { skipped: 3 })], isGoal: true },
    "vitest ran no test and skipped 3",
  ],
  [
    "a file with fewer tests than before",
    { now: [ran({ "a.test.ts": 2, "b.test.ts": 9 })], before: [ran({ "a.test.ts": 5 })] },
    "a.test.ts: 3 tests that ran before did not run",
  ],
  [
    "a file that is silent now",
    { now: [ran({})], before: [ran({ "a.test.ts": 1 })] },
    "a.test.ts: 1 test that ran before did not run",
  ],
  [
    "silence where a file may change, but not go",
    { now: [], before: [ran({ "named.test.ts": 1, "kept.test.ts": 2 })] },
    "no test runner reported, although 3 tests of vitest ran before",
  ],
  [
    "a file that could not be loaded before and runs nothing now",
    { now: [ran({ "a.test.ts": 1, "b.test.ts": 0 })], before: [ran({ "a.test.ts": 1 })], isGoal: true },
    "b.test.ts: no test ran in it",
  ],
  [
    "fewer tests in more files than are counted apart",
    { now: [ran({ "*": 1500 })], before: [ran({ "*": 1502 })] },
    "all files together: 2 tests that ran before did not run",
  ],
])("exit 0 is red: %s", (_, { now, before, isGoal = false }, why) => {
  const found = { ...shown, ...(now.length > 0 && { tests: now }) };
  expect(expectTests(found, { isGoal, before, mayChange: named })).toEqual({
    ...found,
    state: "red",
    why: `exit 0, but ${why}`,
  });
});

test.each<[string, { now: TestsRun[]; before?: TestsRun[]; isGoal?: boolean }]>([
  ["a goal without a test runner", { now: [], isGoal: true }],
  ["a check of the rules in a project without any test", { now: [ran({})] }],
  ["a check of the rules in a project without any test, known as such", { now: [ran({})], before: [ran({})] }],
  ["more tests than before", { now: [ran({ "a.test.ts": 3 })], before: [ran({ "a.test.ts": 2 })] }],
  ["the first tests of a project", { now: [ran({ "a.test.ts": 3 })], before: [ran({})], isGoal: true }],
  ["tests deleted in a file that the task names", { now: [ran({})], before: [ran({ "named.test.ts": 4 })] }],
  [
    "a named file that has only helpers",
    { now: [ran({ "named.test.ts": 0, "a.test.ts": 1 })], before: [ran({ "a.test.ts": 1 })] },
  ],
  [
    "a helper that held no test before either",
    { now: [ran({ "a.test.ts": 1, "helper.ts": 0 })], before: [ran({ "a.test.ts": 1, "helper.ts": 0 })] },
  ],
  [
    "a file that could not be loaded before and runs its tests now",
    { now: [ran({ "a.test.ts": 1, "b.test.ts": 7 })], before: [ran({ "a.test.ts": 1 })], isGoal: true },
  ],
  [
    "another runner for the same files",
    { now: [ran({ "a.test.ts": 2 })], before: [ran({ "a.test.ts": 2 }, { runner: "jest" })] },
  ],
  [
    "tests that are skipped here as they were before",
    { now: [ran({}, { skipped: 2 })], before: [ran({}, { skipped: 2 })] },
  ],
])("exit 0 is green: %s", (_, { now, before, isGoal = false }) => {
  const found = { ...shown, ...(now.length > 0 && { tests: now }) };
  expect(expectTests(found, { isGoal, before, mayChange: named })).toEqual(found);
});

test("what is red already stays as it is", () => {
  const red = { ...shown, state: "red" as const, why: "exit 1", tests: [ran({})] };
  expect(expectTests(red, { isGoal: true, before: [ran({ a: 1 })], mayChange: named })).toEqual(red);
});
