import { join } from "node:path";
import { expect, test } from "vitest";
import { commitsOf, expectCode } from "../../rig/facts.ts";
import { writes } from "../../rig/moves.ts";
import { makes } from "../../rig/plan.ts";
import { createRig, type Rig } from "../../rig/rig.ts";

async function oneTask(): Promise<Rig> {
  return createRig({ plan: { tasks: { "01-a": makes("a.txt") } }, moves: { "01-a": writes("a.txt") } });
}

test("A branch that is checked out elsewhere is not moved: the run completes and says that publishing waits.", async () => {
  await using rig = await oneTask();
  const linked = join(rig.root, "linked");
  rig.git("worktree", "add", "--quiet", "-b", "stint/work", linked);

  const run = await rig.stint(["run", "--yes"]);

  expectCode(run, 0);
  expect(`${run.stdout}${run.stderr}`).toContain("stint/work");
  expect(`${run.stdout}${run.stderr}`).toContain(linked);
  expect(rig.events("publish-deferred").at(-1)).toMatchObject({ branch: "stint/work" });
  expect(rig.git("rev-parse", "stint/work")).toBe(rig.git("rev-parse", "main"));
  const tip = String(rig.events("task-integrated")[0]?.["commit"]);
  expect(rig.controlGit("show", `${tip}:a.txt`)).toBe("ready");
});

test("Once the branch is free again, resume publishes what waited.", async () => {
  await using rig = await oneTask();
  const linked = join(rig.root, "linked");
  rig.git("worktree", "add", "--quiet", "-b", "stint/work", linked);
  await rig.stint(["run", "--yes"]);
  rig.git("worktree", "remove", linked);

  expectCode(await rig.stint(["resume"]), 0);
  expect(commitsOf(rig)).toEqual(["01-a"]);
});

test("A branch that has diverged is left alone and reported.", async () => {
  await using rig = await oneTask();
  const foreign = rig.git("commit-tree", "-m", "Someone else's work", "-p", "HEAD", "HEAD^{tree}");
  rig.git("branch", "stint/work", foreign);

  const run = await rig.stint(["run", "--yes"]);

  expect(rig.git("rev-parse", "stint/work")).toBe(foreign);
  expect(rig.events("task-integrated")).toHaveLength(1);
  expect(rig.events("publish-deferred").at(-1)).toMatchObject({ branch: "stint/work" });
  expect(`${run.stdout}${run.stderr}`).toContain("diverged");
});
