import { describe, expect, test } from "vitest";
import { taskOf } from "../../../../src/engine/state.ts";
import { VerifyWorld } from "../../../rig/verify-world.ts";

const apart = { "01-a": { check: "test a", files: ["a.ts"] }, "02-b": { check: "test b", files: ["b.ts"] } };
const onA = "placed 02-b on placed 01-a on base";
const a = "placed 01-a on base";

/** 01-a has landed while 02-b worked on the base. */
async function withALanded(...args: ConstructorParameters<typeof VerifyWorld>): Promise<VerifyWorld> {
  const world = new VerifyWorld(...args);
  world.candidate("01-a");
  world.candidate("02-b");
  await world.verify("01-a", "base");
  world.land("01-a");
  world.rooms.length = 0;
  return world;
}

test("a task that shares nothing with earlier ones is asked its own checks and the rules'", async () => {
  const world = await withALanded(apart, {}, { rules: "lint" });
  const verdict = await world.verify("02-b", a);
  expect(verdict.result).toBe("passed");
  expect(world.rooms).toEqual([`${onA}: test b, lint`]);
});

test("with reverify: all, the checks of every earlier task are asked again, and said to be theirs", async () => {
  const world = await withALanded(apart, {}, { settings: { reverify: "all" } });
  const { checks } = await world.verify("02-b", a);
  expect(checks.map(({ label, of }) => [label, of])).toEqual([
    ["test b", undefined],
    ["test a", "01-a"],
  ]);
});

const dependent = { ...apart, "02-b": { ...apart["02-b"], depends: ["01-a"] } };

test.each([
  ["it builds on", dependent],
  ["whose files it may touch", { ...apart, "02-b": { check: "test b", files: ["*.ts"] } }],
] as const)("the checks of a task %s are asked again", async (_, jobs) => {
  const world = new VerifyWorld(jobs, {});
  world.candidate("01-a");
  await world.verify("01-a", "base");
  world.land("01-a");
  world.candidate("02-b");
  world.rooms.length = 0;
  await world.verify("02-b", a);
  expect(world.rooms).toEqual([`${onA}: test b, test a`]);
});

describe("an earlier task's check that read nothing of what differs", () => {
  const settingsOf = { affected: {}, all: { settings: { reverify: "all" } } } as const;
  test.each([
    ["is left out", "affected", ["test b"]],
    ["is asked all the same with reverify: all", "all", ["test b", "test a"]],
  ] as const)("%s", async (_, reverify, asked) => {
    const world = await withALanded(dependent, {}, settingsOf[reverify]);
    world.unread.add("test a");
    const { checks } = await world.verify("02-b", a);
    expect(checks.map(({ label }) => label)).toEqual(asked);
  });

  test("is asked if the merge changes what the work did not, as where a file was renamed meanwhile", async () => {
    const world = await withALanded(dependent, {});
    world.unread.add("test a");
    world.matters.add(`test a: ${a} to ${onA}`);
    const { checks } = await world.verify("02-b", a);
    expect(checks.map(({ label }) => label)).toEqual(["test b", "test a"]);
  });

  test("is never the task's own", async () => {
    const world = await withALanded(dependent, {});
    world.unread.add("test b");
    const { checks } = await world.verify("02-b", a);
    expect(checks.map(({ label }) => label)).toEqual(["test b", "test a"]);
  });
});

test("a file that came about meanwhile counts, though the claims of the base do not know it", async () => {
  const world = await withALanded({ ...apart, "02-b": { check: "test b", files: ["*.ts"], changes: ["a.ts"] } }, {});
  taskOf(world.state, "02-b").claims = { paths: ["b.ts"], folders: [] };
  await world.verify("02-b", a);
  expect(world.rooms).toEqual([`${onA}: test b, test a`]);
});

test("an earlier task's check that the work turns red fails it, and the verdict names both", async () => {
  const world = new VerifyWorld(dependent, { [onA]: { "test a": ["red"] } });
  world.candidate("01-a");
  await world.verify("01-a", "base");
  world.land("01-a");
  world.candidate("02-b");
  const verdict = await world.verify("02-b", a);
  expect(verdict).toMatchObject({ result: "failed", reason: "check", why: "red: test a (exit 1), a check of 01-a" });
  expect(taskOf(world.state, "02-b").spent).toBe(1);
});

test("an earlier task's check that is red without the work, too, is not held against it", async () => {
  const world = new VerifyWorld(dependent, { [onA]: { "test a": ["red"] }, [a]: { "test a": ["green", "red"] } });
  world.candidate("01-a");
  await world.verify("01-a", "base");
  world.land("01-a");
  world.candidate("02-b");
  const verdict = await world.verify("02-b", a);
  const checks = [
    { label: "test b", state: "green" },
    { label: "test a", state: "red", of: "01-a", excused: true },
  ];
  expect(verdict).toMatchObject({ result: "passed", checks });
});

test("a room that cannot be set up without the work excuses no check that the work turned red", async () => {
  const words = { [onA]: { "test a": ["red"] }, [a]: { "test a": ["green", "no room"] } } as const;
  const world = new VerifyWorld(dependent, words);
  world.candidate("01-a");
  await world.verify("01-a", "base");
  world.land("01-a");
  world.candidate("02-b");
  expect(await world.verify("02-b", a)).toMatchObject({ result: "failed", reason: "check" });
});

test("red on the tip and green alone is a conflict with who landed meanwhile: free, and reported", async () => {
  const world = await withALanded(apart, { [onA]: { "test b": ["red"] } });
  const verdict = await world.verify("02-b", a);
  const why = "green alone, red together with the work of 01-a: red: test b (exit 1)";
  expect(verdict).toMatchObject({ result: "conflict", reason: "conflict", why, with: ["01-a"] });
  expect(taskOf(world.state, "02-b")).toMatchObject({ spent: 0, conflicts: 1, feedback: { why } });
  expect(world.rooms).toEqual([`${onA}: test b`, "candidate 02-b: test b", `${onA}: test b`]);
});

test("red alone, too, is the work's own failure", async () => {
  const words = { [onA]: { "test b": ["red"] }, "candidate 02-b": { "test b": ["red"] } } as const;
  const verdict = await (await withALanded(apart, words)).verify("02-b", a);
  expect(verdict).toMatchObject({ result: "failed", reason: "check", why: "red: test b (exit 1)" });
});

test("the check of a task that landed meanwhile cannot be asked alone: red with the work, it is a conflict", async () => {
  const jobs = { ...apart, "02-b": { check: "test b", files: ["*.ts"] } };
  const verdict = await (await withALanded(jobs, { [onA]: { "test a": ["red"] } })).verify("02-b", a);
  expect(verdict).toMatchObject({ result: "conflict", with: ["01-a"] });
  expect(verdict.why).toContain("red: test a (exit 1), a check of 01-a");
});

test("paths that cannot be merged are a conflict that names them and who changed them", async () => {
  const world = await withALanded(apart, {});
  world.clashes.set("02-b", ["a.ts"]);
  const verdict = await world.verify("02-b", a);
  expect(verdict).toMatchObject({
    result: "conflict",
    why: "01-a changed the same lines of a.ts meanwhile",
    with: ["01-a"],
  });
  expect(world.rooms).toEqual([]);
});

test("a check that must only stay green and changes its mind on one tree is named flaky and fails nothing", async () => {
  const world = new VerifyWorld(apart, { [a]: { lint: ["red", "green"] } }, { rules: "lint" });
  world.candidate("01-a");
  const verdict = await world.verify("01-a", "base");
  expect(verdict).toMatchObject({ result: "passed", checks: [{ label: "test a" }, { label: "lint", flaky: true }] });
  expect([...world.state.flaky.values()]).toEqual(["lint"]);
  // What changed its mind proves nothing about that tree.
  expect([...(world.state.proven.get(`tree of ${a}`)?.values() ?? [])].map(({ label }) => label)).toEqual(["test a"]);
});

test("the task's own check that is red is not asked again on its base: the work is to make it green", async () => {
  const world = new VerifyWorld(apart, { [a]: { "test a": ["red", "green"] } });
  world.candidate("01-a");
  expect((await world.verify("01-a", "base")).result).toBe("failed");
  expect(world.rooms).toHaveLength(1);
});

test("the task's own check that is red on the tip, green alone and green again is flaky", async () => {
  const world = await withALanded(apart, { [onA]: { "test b": ["red", "green"] } });
  expect(await world.verify("02-b", a)).toMatchObject({ result: "passed", checks: [{ flaky: true }] });
});

test("what was green on the very tree is not run again, and what was placed is not placed again", async () => {
  const world = new VerifyWorld(apart, {});
  world.candidate("01-a");
  await world.verify("01-a", "base");
  const again = await world.verify("01-a", "base");
  expect(again).toMatchObject({ result: "passed", checks: [{ label: "test a", cached: true }] });
  expect(world.rooms).toHaveLength(1);
  expect(world.events.filter(({ type }) => type === "placed")).toHaveLength(1);
});

test("what was green under an earlier driver, with settings that may be others now, is run again", async () => {
  const world = new VerifyWorld(apart, {});
  world.candidate("01-a");
  await world.verify("01-a", "base");
  const resumed = { type: "resumed", pid: 1, settings: world.state.settings } as const;
  world.add({ ...resumed, why: "wait-over" });
  expect(await world.verify("01-a", "base")).toMatchObject({ checks: [{ cached: true }] });
  world.add({ ...resumed, why: "driver-started" });
  const { checks } = await world.verify("01-a", "base");
  expect(checks).toMatchObject([{ label: "test a", state: "green" }]);
  expect(checks[0]).not.toHaveProperty("cached");
  expect(world.rooms).toHaveLength(2);
});

test("a candidate out of its scope is refused at once, wherever it stands in the train; with the file granted it passes", async () => {
  const jobs = { ...apart, "02-b": { check: "test b", files: ["b.ts"], changes: ["b.ts", "c.ts"] } };
  const world = new VerifyWorld(jobs, {});
  world.candidate("01-a");
  world.candidate("02-b");
  world.add({ type: "placed", task: "01-a", attempt: 1, tip: "base", commit: a, tree: "t" });
  expect(await world.verify("02-b", a)).toMatchObject({ result: "failed", guards: [{ path: "c.ts" }] });
  expect(taskOf(world.state, "02-b")).toMatchObject({ phase: "pending", spent: 1 });
  world.candidate("02-b", 2);
  taskOf(world.state, "02-b").granted = ["c.ts"];
  expect(await world.verify("02-b", a)).toMatchObject({ result: "passed" });
});

test("a check that a room gave no answer to is not taken for green", async () => {
  const world = new VerifyWorld(apart, {});
  world.candidate("01-a");
  Object.assign(world.run.ports.rooms, { check: async () => [] });
  await expect(world.verify("01-a", "base")).rejects.toThrow("expected an answer");
});

test("a verification that the train has left behind says nothing", async () => {
  const world = new VerifyWorld(apart, {});
  world.candidate("01-a");
  world.candidate("02-b");
  world.add({ type: "placed", task: "01-a", attempt: 1, tip: "base", commit: a, tree: "t" });
  const late = world.verify("02-b", a);
  const fallen = { result: "failed", reason: "check", why: "", placed: null, guards: [], checks: [] } as const;
  world.add({ type: "verdict", task: "01-a", attempt: 1, tip: "base", ...fallen });
  await expect(late).rejects.toThrow("no verdict of 02-b");
});

test("a reopened task is asked what it has to fix, too, as its own", async () => {
  const world = new VerifyWorld(apart, {});
  world.candidate("01-a");
  world.candidate("02-b");
  await world.verify("01-a", "base");
  world.land("01-a");
  const { checks } = await world.verify("02-b", a);
  world.land("02-b");
  const key = checks[0]?.key ?? "";
  const regression = { key, label: "test b", task: "01-a", commit: a, why: "red since 01-a" };
  world.add({ type: "task-reopened", task: "01-a", regressions: [regression], why: "red since 01-a" });
  world.candidate("01-a", 2);
  world.rooms.length = 0;
  await world.verify("01-a", onA);
  expect(world.rooms).toEqual([`placed 01-a on ${onA}: test b, test a`]);
});
