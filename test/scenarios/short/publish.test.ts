import { join } from "node:path";
import { expect, test } from "vitest";
import { commitsOf, expectCode } from "../../rig/facts.ts";
import { writes } from "../../rig/moves.ts";
import { makes } from "../../rig/plan.ts";
import { createRig } from "../../rig/rig.ts";

test("A branch that is checked out elsewhere is not moved: the run says so before it starts, completes, and ends with 3 until resume publishes it.", async () => {
  await using rig = await createRig({
    plan: { tasks: { "01-a": makes("a.txt") } },
    moves: { "01-a": writes("a.txt") },
  });
  const linked = join(rig.root, "linked");
  rig.git("worktree", "add", "--quiet", "-b", "stint/work", linked);

  const run = await rig.stint(["run", "--yes"]);

  expectCode(run, 3);
  const cure = `Branch stint/work is checked out in ${linked}. Switch it to another branch`;
  expect(run.stderr).toContain(`warning: ${cure}; until then, this run's commits are kept`);
  expect(run.stderr).toContain(
    `The branch stint/work does not have this work yet. ${cure}, then run \`stint resume work#1\`.`,
  );
  expect(rig.events("publish-deferred").at(-1)).toMatchObject({ branch: "stint/work" });
  expect(rig.git("rev-parse", "stint/work")).toBe(rig.git("rev-parse", "main"));
  const tip = String(rig.events("task-integrated")[0]?.["commit"]);
  expect(rig.controlGit("show", `${tip}:a.txt`)).toBe("ready");
  expect((await rig.stint(["status"])).stderr).toContain(cure);
  expect((await rig.stint(["report"])).stdout).toContain("The branch does not have all of the work yet");
  expectCode(await rig.stint(["run"]), 3);

  rig.git("worktree", "remove", linked);
  expectCode(await rig.stint(["resume"]), 0);
  expect(commitsOf(rig)).toEqual(["01-a"]);
});
