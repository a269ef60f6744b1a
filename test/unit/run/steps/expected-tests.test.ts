import { expect, test } from "vitest";
import type { CheckEvidence, TestsRun } from "../../../../src/engine/evidence.ts";
import { expectationOf, needsLook, seenAt } from "../../../../src/run/steps/expected-tests.ts";
import { VerifyWorld } from "../../../rig/verify-world.ts";

const tests: readonly TestsRun[] = [{ runner: "vitest", run: 2, skipped: 0, groups: { "test/a.test.ts": 2 } }];
const green: CheckEvidence = { key: "k", label: "npm test", state: "green", why: "", tail: "", durationMs: 1, tests };

/** Two tasks; the first has landed, and changed a test and a module. */
function landedFirst() {
  const world = new VerifyWorld(
    {
      a: { check: "a", files: ["test/a.test.ts", "src/**"], changes: ["test/a.test.ts", "src/x.ts"] },
      b: { check: "b", files: ["b.txt"] },
    },
    {},
  );
  world.candidate("a");
  world.add({ type: "task-integrated", task: "a", attempt: 1, commit: "of a" });
  return world.run;
}

test("a look at an earlier commit is needed only where a runner was heard and nothing is known of before", () => {
  const run = landedFirst();
  expect(needsLook(run, green)).toBe(true);
  expect(needsLook(run, { ...green, state: "red" })).toBe(false);
  const { tests: _, ...unheard } = green;
  expect(needsLook(run, unheard)).toBe(false);
  run.state.testsSeen.set("k", { at: 0, tests });
  expect(needsLook(run, green)).toBe(false);
});

test("what ran on an earlier commit is expected; what was seen only later is not", () => {
  const run = landedFirst();
  const about = { key: "k", isGoal: true, onto: "base" };
  expect(expectationOf(run, about).before).toBeUndefined();
  expect(expectationOf(run, about, seenAt(0, new Map([["k", green]]))).before).toEqual(tests);
  run.state.testsSeen.set("k", { at: 1, tests });
  expect(expectationOf(run, about).before).toBeUndefined();
  expect(expectationOf(run, { ...about, onto: "of a" }).before).toEqual(tests);
});

test("tests may change in files that a task between the two commits named, and in no others", () => {
  const run = landedFirst();
  run.state.testsSeen.set("k", { at: 0, tests });
  const since = expectationOf(run, { key: "k", isGoal: false, onto: "of a" });
  expect(since.mayChange("test/a.test.ts", "M")).toBe(true);
  expect(since.mayChange("test/other.test.ts", "M")).toBe(false);
  run.state.testsSeen.set("k", { at: 1, tests });
  const none = expectationOf(run, { key: "k", isGoal: false, onto: "of a" });
  expect(none.mayChange("test/a.test.ts", "M")).toBe(false);
});

test("of a folder, the changed tests inside it count; a changed module does not", () => {
  const run = landedFirst();
  run.state.testsSeen.set("k", { at: 0, tests });
  const { mayChange } = expectationOf(run, { key: "k", isGoal: false, onto: "of a" });
  expect(mayChange("test", "M")).toBe(true);
  expect(mayChange("src", "M")).toBe(false);
});

test("a glob that covers a test does not show that the task changed it", () => {
  const run = landedFirst();
  run.state.testsSeen.set("k", { at: 0, tests });
  const { mayChange } = expectationOf(run, { key: "k", isGoal: false, onto: "of a" });
  expect(mayChange("src/x.ts", "M")).toBe(true);
  expect(mayChange("src/y.test.ts", "M")).toBe(false);
});
