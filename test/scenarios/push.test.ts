import { chmodSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { expectCode } from "../rig/facts.ts";
import { writes } from "../rig/moves.ts";
import { makes } from "../rig/plan.ts";
import { createRig, type Rig } from "../rig/rig.ts";

async function pushing(push: "task" | "run"): Promise<{ readonly rig: Rig; readonly remote: string }> {
  const rig = await createRig({
    plan: { tasks: { "01-a": makes("a.txt"), "02-b": makes("b.txt", { depends: ["01-a"] }) } },
    moves: { "01-a": writes("a.txt"), "02-b": writes("b.txt") },
    rules: { push, remote: "backup" },
  });
  const remote = join(rig.root, "remote.git");
  rig.git("init", "--quiet", "--bare", remote);
  rig.git("remote", "add", "backup", remote);
  return { rig, remote };
}

test("After each task its commit is at the remote the rules name; approval says so before.", async () => {
  const { rig, remote } = await pushing("task");
  await using _ = rig;
  const approved = await rig.stint(["approve", "--yes"]);
  expect(approved.stdout).toContain("Pushed to remote backup: after every task");

  expectCode(await rig.stint(["run"]), 0);

  const landed = rig.events("task-integrated").map((event) => event["commit"]);
  expect(rig.events("pushed").map((event) => event["commit"])).toEqual(landed);
  expect(rig.git("--git-dir", remote, "rev-parse", "stint/work")).toBe(landed[1]);
});

test("A remote that refuses costs nothing but the push: the run is done, says the cure, and resume pushes.", async () => {
  const { rig, remote } = await pushing("run");
  await using _ = rig;
  const hook = join(remote, "hooks", "pre-receive");
  mkdirSync(join(remote, "hooks"), { recursive: true });
  writeFileSync(hook, "#!/bin/sh\necho 'Freeze until Monday.'\nexit 1\n");
  chmodSync(hook, 0o755);

  const run = await rig.stint(["run", "--yes"]);
  expectCode(run, 0);
  const says = "The remote does not have this work yet. backup refuses branch stint/work: pre-receive hook declined.";
  expect(run.stderr).toContain(says);
  expect((await rig.stint(["status"])).stderr).toContain(says);
  expect(await rig.status()).toMatchObject({ state: "finished", published: true, pushed: false });
  expect(rig.events("push-failed")).toMatchObject([{ tries: 1, remote: "backup" }]);

  rmSync(hook);
  expectCode(await rig.stint(["resume"]), 0);
  expect(rig.git("--git-dir", remote, "rev-parse", "stint/work")).toBe(rig.git("rev-parse", "stint/work"));
  expect(await rig.status()).toMatchObject({ pushed: true });
  expect((await rig.stint(["resume"])).stderr).toContain("nothing to do");
});
