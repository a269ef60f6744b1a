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

const jobs = {
  "01-a": { check: "test a", files: ["src/a.ts", "test/named.test.ts"] },
  "02-b": { check: "test b", files: ["src/b.ts"] },
};
const a = "placed 01-a on base";
const onA = `placed 02-b on ${a}`;

/** Both candidates are made on the base, and the rules ask for all tests. */
function world(): VerifyWorld {
  const made = new VerifyWorld(jobs, {}, { rules: "npm test" });
  made.candidate("01-a");
  made.candidate("02-b");
  return made;
}

test("what a check ran before is looked at on the tip, where the journal does not tell", async () => {
  const made = world();
  made.ran[a] = { "npm test": { "test/x.test.ts": 2 } };
  made.ran["base"] = { "npm test": { "test/x.test.ts": 5 } };
  const verdict = await made.verify("01-a", "base");
  expect(verdict).toMatchObject({
    result: "failed",
    why: "red: npm test (exit 0, but test/x.test.ts: 3 tests that ran before did not run)",
  });
  expect(made.rooms).toEqual([`${a}: test a, npm test`, "base: npm test", `${a}: npm test`]);
});

test("what landed is the measure of the next, and is looked at no more", async () => {
  const made = world();
  made.ran["base"] = { "npm test": { "test/x.test.ts": 1 } };
  made.ran[a] = { "npm test": { "test/x.test.ts": 4 } };
  made.ran[onA] = { "npm test": { "test/x.test.ts": 3 } };
  expect((await made.verify("01-a", "base")).result).toBe("passed");
  made.land("01-a");
  made.rooms.length = 0;
  const verdict = await made.verify("02-b", a);
  expect(made.rooms).not.toContain(`${a}: npm test`);
  expect(verdict.why).toContain("test/x.test.ts: 1 test that ran before did not run");
});

test("tests that a task in front deletes, because it names the file, are not missed behind it", async () => {
  const made = world();
  made.ran["base"] = { "npm test": { "test/named.test.ts": 2, "test/x.test.ts": 1 } };
  made.ran[a] = made.ran[onA] = { "npm test": { "test/x.test.ts": 1 } };
  expect((await made.verify("01-a", "base")).result).toBe("passed");
  expect((await made.verify("02-b", a)).result).toBe("passed");
});

test("a command without a test runner is run once", async () => {
  const made = world();
  await made.verify("01-a", "base");
  expect(made.rooms).toEqual([`${a}: test a, npm test`]);
});

test("a task's own check that runs no test is red", async () => {
  const made = world();
  made.ran[a] = { "test a": {} };
  expect(await made.verify("01-a", "base")).toMatchObject({
    result: "failed",
    why: "red: test a (exit 0, but vitest ran no test)",
  });
});

test("whoever may create any file names none of the tests that ran before", async () => {
  const made = new VerifyWorld({ "01-a": { check: "test a", files: ["**"] } }, {}, { rules: "npm test" });
  made.candidate("01-a");
  made.ran["base"] = { "npm test": { "test/x.test.ts": 3 } };
  made.ran[a] = { "npm test": { "test/x.test.ts": 2, "test/new.test.ts": 1 } };
  expect((await made.verify("01-a", "base")).why).toBe(
    "red: npm test (exit 0, but test/x.test.ts: 1 test that ran before did not run)",
  );
});
