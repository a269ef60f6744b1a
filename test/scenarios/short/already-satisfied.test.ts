import { expect, test } from "vitest";
import { commitsOf, expectCode, sessionsOf } from "../../rig/facts.ts";
import { writes } from "../../rig/moves.ts";
import { makes } from "../../rig/plan.ts";
import { createRig } from "../../rig/rig.ts";

test("A task whose checks are all green before it gets no session, its dependants go on, and the run ends with 3 as unproven.", async () => {
  await using rig = await createRig({
    files: { "a.txt": "ready\n" },
    plan: { tasks: { "01-a": makes("a.txt", { files: ["a.txt"] }), "02-b": makes("b.txt", { depends: ["01-a"] }) } },
    moves: { "02-b": writes("b.txt") },
  });

  const run = await rig.stint(["run", "--yes"]);

  expectCode(run, 3);
  expect(`${run.stdout}${run.stderr}`).toContain("unproven");
  expect(sessionsOf(rig)).toEqual(["02-b 1"]);
  expect(commitsOf(rig)).toEqual(["02-b"]);
  expect(rig.events("baseline", "01-a")).toMatchObject([{ state: "green" }]);
  expect(rig.events("run-finished")).toMatchObject([{ outcome: "unproven" }]);
  expect((await rig.status()).tasks).toMatchObject([
    { id: "01-a", state: "satisfied", commit: null },
    { id: "02-b", state: "integrated" },
  ]);
});

test("A regression check may be green before, as long as another check is red.", async () => {
  await using rig = await createRig({
    plan: {
      tasks: { "01-a": makes("a.txt", { checks: ["grep -q ready a.txt", { run: "test -e README.md", red: false }] }) },
    },
    moves: { "01-a": writes("a.txt") },
  });

  expectCode(await rig.stint(["run", "--yes"]), 0);
  expect(commitsOf(rig)).toEqual(["01-a"]);
});

test("A red regression check alone does not make a task worth a session.", async () => {
  await using rig = await createRig({
    files: { "a.txt": "ready\n" },
    plan: {
      tasks: {
        "01-a": makes("a.txt", { files: ["a.txt"], checks: ["grep -q ready a.txt", { run: "false", red: false }] }),
      },
    },
    moves: { "01-a": writes("a.txt") },
  });

  expect(await rig.stint(["run", "--yes"])).not.toMatchObject({ code: 0 });
  expect(sessionsOf(rig)).toEqual([]);
});

test("A run on which nothing landed is done and unproven in the list, and neither merged nor to be merged.", async () => {
  await using rig = await createRig({
    files: { "a.txt": "ready\n" },
    plan: { tasks: { "01-a": makes("a.txt", { files: ["a.txt"] }) } },
  });

  expectCode(await rig.stint(["run", "--yes"]), 3);
  expect((await rig.stint(["list"])).stdout).toBe("work  done, 1 of 1, unproven\n");
});
