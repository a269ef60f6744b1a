import { expect, test } from "vitest";
import { expectCode, sessionsOf } from "../../rig/facts.ts";
import { writes } from "../../rig/moves.ts";
import { makes } from "../../rig/plan.ts";
import { createRig } from "../../rig/rig.ts";

test("A check whose command does not exist is broken, not red: no session is started and the run ends with 4.", async () => {
  await using rig = await createRig({
    plan: { tasks: { "01-a": makes("a.txt", { checks: ["no-such-program-anywhere a.txt"] }), "02-b": makes("b.txt") } },
    moves: { "01-a": writes("a.txt"), "02-b": writes("b.txt") },
  });

  const run = await rig.stint(["run", "--yes"]);

  expectCode(run, 4);
  expect(`${run.stdout}${run.stderr}`).toContain("no-such-program-anywhere");
  expect(rig.events("baseline", "01-a")).toMatchObject([{ state: "broken" }]);
  expect(sessionsOf(rig)).not.toContain("01-a 1");
});

test("A check that runs out of its time is broken.", async () => {
  await using rig = await createRig({
    plan: { tasks: { "01-a": makes("a.txt", { checks: [{ run: "sleep 1000", timeout: "100ms" }] }) } },
  });

  expectCode(await rig.stint(["run", "--yes"]), 4);
  expect(rig.events("baseline", "01-a")).toMatchObject([{ state: "broken" }]);
  expect(sessionsOf(rig)).toEqual([]);
  expect(rig.processes()).toEqual([]);
});

test("The check command finds the broken check before any run and ends with 4.", async () => {
  await using rig = await createRig({
    plan: { tasks: { "01-a": makes("a.txt", { checks: ["no-such-program-anywhere a.txt"] }) } },
  });

  const check = await rig.stint(["check"]);

  expectCode(check, 4);
  expect(check.stdout.split("\n")).toEqual([
    "01-a Do 01-a",
    expect.stringMatching(
      /^ {2}broken no-such-program-anywhere a\.txt \(command not found \(exit 127\): .*no-such-program-anywhere: .*not found\)$/,
    ),
    "         plans/work/tasks/01-a.md:9: Install it in the workspace set-up or in PATH, or correct the check.",
    expect.stringMatching(/^ {9}log: .*check-1\.log$/),
    "1 check: 1 broken",
    "",
  ]);
});
