import { expect, test } from "vitest";
import { commitsOf, expectCode } from "../rig/facts.ts";
import { writes } from "../rig/moves.ts";
import { makes } from "../rig/plan.ts";
import { createRig } from "../rig/rig.ts";

test("A check of the whole plan that is red on the final tip ends the run with 4, with every task integrated.", async () => {
  await using rig = await createRig({
    plan: { tasks: { "01-a": makes("a.txt") }, checks: ["cat a.txt; grep -q finished a.txt"] },
    moves: { "01-a": writes("a.txt") },
  });

  const run = await rig.stint(["run", "--yes"]);

  expectCode(run, 4);
  expect(`${run.stdout}${run.stderr}`).toContain("grep -q finished a.txt");
  expect(commitsOf(rig)).toEqual(["01-a"]);
  expect(run.stdout).toContain("it fails on the run's base, too: no task broke it");
  expect(rig.events("final-verified")).toMatchObject([{ ok: false }]);
  expect(rig.events("bisected")).toMatchObject([{ regressions: [{ task: null, commit: null }] }]);
  expect(rig.events("task-reopened")).toEqual([]);
  expect(rig.events("run-finished")).toEqual([]);
  const evidence =
    /\nfinal checks failed:\n {4}red: cat a\.txt; .* \(exit 1\)\n {4}\| ready\n {4}log: \/.*check-1\.log\n/;
  expect(run.stdout).toMatch(evidence);
  expect((await rig.stint(["status"])).stdout).toMatch(evidence);
});

test("A check of the rules runs after every task, besides its own.", async () => {
  await using rig = await createRig({
    rules: { checks: ["! grep -rq forbidden-word --include=*.txt ."] },
    plan: { tasks: { "01-a": makes("a.txt") } },
    moves: { "01-a": { 1: [{ write: "a.txt", text: "ready, forbidden-word\n" }], 2: writes("a.txt") } },
  });

  expectCode(await rig.stint(["run", "--yes"]), 0);
  expect(rig.events("verdict", "01-a")).toMatchObject([{ result: "failed", reason: "check" }, { result: "passed" }]);
});
