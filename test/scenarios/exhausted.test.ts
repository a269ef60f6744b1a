import { expect, test } from "vitest";
import { commitsOf, expectCode, sessionsOf } from "../rig/facts.ts";
import { writes } from "../rig/moves.ts";
import { makes } from "../rig/plan.ts";
import { createRig } from "../rig/rig.ts";

test("A task that used up its attempts is blocked with 3, independent tasks are done, and dependants wait.", async () => {
  await using rig = await createRig({
    plan: {
      tasks: {
        "01-a": makes("a.txt"),
        "02-b": makes("b.txt", { depends: ["01-a"] }),
        "03-c": makes("c.txt"),
      },
    },
    config: { run: { attempts: 2 } },
    moves: { "01-a": [{ write: "a.txt", text: "never\n" }], "02-b": writes("b.txt"), "03-c": writes("c.txt") },
  });

  const run = await rig.stint(["run", "--yes"]);

  expectCode(run, 3);
  expect(sessionsOf(rig)).toEqual(expect.arrayContaining(["01-a 1", "01-a 2", "03-c 1"]));
  expect(sessionsOf(rig)).toHaveLength(3);
  expect(commitsOf(rig)).toEqual(["03-c"]);
  expect(rig.events("task-blocked")).toMatchObject([{ task: "01-a", kind: "exhausted" }]);
  const { state, tasks } = await rig.status();
  expect(state).toBe("waiting");
  expect(tasks).toMatchObject([
    { id: "01-a", state: "blocked", attempts: 2, reason: expect.stringContaining("2 of 2 attempts failed") },
    { id: "02-b", state: "pending", attempts: 0, reason: expect.stringContaining("01-a") },
    { id: "03-c", state: "integrated", attempts: 1 },
  ]);
});

test("The work of every failed attempt is kept under a rescue ref in the control repo.", async () => {
  await using rig = await createRig({
    plan: { tasks: { "01-a": makes("a.txt") } },
    config: { run: { attempts: 2 } },
    moves: { "01-a": { 1: [{ write: "a.txt", text: "first\n" }], 2: [{ write: "a.txt", text: "second\n" }] } },
  });

  await rig.stint(["run", "--yes"]);
  const { run } = await rig.status();

  expect(rig.controlGit("show", `refs/stint/rescue/${run}/01-a/1:a.txt`)).toBe("first");
  expect(rig.controlGit("show", `refs/stint/rescue/${run}/01-a/2:a.txt`)).toBe("second");
});

test("A blocked task that a person puts back gets new attempts, and the run completes.", async () => {
  await using rig = await createRig({
    plan: { tasks: { "01-a": makes("a.txt") } },
    config: { run: { attempts: 1 } },
    moves: { "01-a": [{ report: { status: "blocked", reason: "The key is missing." } }] },
  });
  expectCode(await rig.stint(["run", "--yes"]), 3);
  rig.moves({ "01-a": writes("a.txt") });

  expectCode(await rig.stint(["requeue", "01-a"]), 0);
  expectCode(await rig.stint(["resume"]), 0);
  expect(rig.events("task-requeued")).toMatchObject([{ task: "01-a" }]);
  expect(commitsOf(rig)).toEqual(["01-a"]);
});
