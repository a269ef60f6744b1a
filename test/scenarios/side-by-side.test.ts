import { expect, test } from "vitest";
import { commitsOf, expectCode, sessionsOf } from "../rig/facts.ts";
import { writes } from "../rig/moves.ts";
import { makes } from "../rig/plan.ts";
import { createRig } from "../rig/rig.ts";

test("Two tasks that share nothing are worked on at once, and each lands on the tip it was verified on.", async () => {
  await using rig = await createRig({
    config: { run: { parallel: 2, sandbox: "none" } },
    plan: { tasks: { "01-a": makes("a.txt"), "02-b": makes("b.txt") } },
    moves: { "01-a": [{ hold: "a" }, ...writes("a.txt")], "02-b": [{ hold: "b" }, ...writes("b.txt")] },
  });

  const run = rig.start(["run", "--yes"]);
  // Neither session can end before both have begun.
  await Promise.all([run.waitForHold("a"), run.waitForHold("b")]);
  rig.release("b");
  await run.waitForEvent("task-integrated", (event) => event.task === "02-b");
  rig.release("a");

  expectCode(await run.ended, 0);
  expect(commitsOf(rig)).toEqual(["02-b", "01-a"]);
  const [first, second] = rig.events("task-integrated").map((event) => event["commit"]);
  expect(rig.events("verdict").map((event) => [event["tip"], event["placed"]])).toEqual([
    [rig.git("rev-parse", "main"), first],
    [first, second],
  ]);
  expect(rig.git("rev-parse", "stint/work")).toBe(second);
});

test("Two tasks that may touch the same file follow one another, and status says why one waits.", async () => {
  await using rig = await createRig({
    files: { "list.txt": "one\n" },
    config: { run: { parallel: 2, sandbox: "none" } },
    plan: {
      tasks: {
        "01-a": { files: { modify: ["list.txt"] }, checks: ["grep -q two list.txt"] },
        "02-b": { files: { modify: ["*.txt"] }, checks: ["grep -q three list.txt"] },
      },
    },
    moves: {
      "01-a": [{ hold: "a" }, { append: "list.txt", text: "two\n" }],
      "02-b": [{ append: "list.txt", text: "three\n" }],
    },
  });

  const run = rig.start(["run", "--yes"]);
  await run.waitForHold("a");
  const { tasks } = await rig.status();
  expect(tasks.map(({ id, reason }) => [id, reason])).toEqual([
    ["01-a", null],
    ["02-b", "waits for 01-a: both may touch list.txt"],
  ]);
  expect(sessionsOf(rig)).toEqual(["01-a 1"]);
  rig.release("a");

  expectCode(await run.ended, 0);
  expect(rig.git("show", "stint/work:list.txt")).toBe("one\ntwo\nthree");
  // The second one was told what the first had shown.
  expect(rig.events("verdict", "02-b")).toMatchObject([
    { result: "passed", checks: [{ label: "grep -q three list.txt" }, { label: "grep -q two list.txt", of: "01-a" }] },
  ]);
});
