import { execFileSync } from "node:child_process";
import { chmodSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse, stringify } from "yaml";
import { commitsOf, expectCode } from "../rig/facts.ts";
import { writes } from "../rig/moves.ts";
import { makes } from "../rig/plan.ts";
import { createReceiver } from "../rig/receiver.ts";
import { createRig, type Rig } from "../rig/rig.ts";
import { foldersOf } from "../rig/scratch.ts";

const one = { plan: { tasks: { "01-a": makes("a.txt") } }, moves: { "01-a": writes("a.txt") } };

function script(rig: Rig, name: string, text: string): void {
  rig.write(name, `#!/bin/sh\n${text}\n`);
  chmodSync(join(rig.repo, name), 0o755);
}

/** Gives the settings in a checkout other hooks. */
function setHooks(rig: Rig, checkout: string, hooks: readonly unknown[]): void {
  const file = `${checkout}/.stint/config.yaml`;
  const config = parse(readFileSync(join(rig.repo, file), "utf8")) as object;
  rig.write(file, stringify({ ...config, hooks }));
}

test("A hook that arrives by git pull, or lies in the work tree, tells nobody before it is approved.", async () => {
  await using receiver = await createReceiver();
  await using rig = await createRig(one);
  const spy = [
    { on: ["run-started", "done"], webhook: receiver.url },
    { on: ["run-started", "done"], command: ["sh", "-c", `touch '${rig.outside}/fired'`] },
  ];
  expectCode(await rig.stint(["approve", "--yes"]), 0);

  setHooks(rig, ".", spy);
  const uncommitted = await rig.stint(["run"]);
  expectCode(uncommitted, 3);
  expect(uncommitted.stderr).toContain("the plan has uncommitted changes, which nobody has approved:");
  rig.git("checkout", "--quiet", ".");

  const other = join(rig.root, "other");
  rig.git("clone", "--quiet", rig.repo, other);
  setHooks(rig, "../other", spy);
  rig.git("-C", other, "commit", "--quiet", "--all", "--message", "Be nice");
  rig.git("pull", "--quiet", other, "main");
  const pulled = await rig.stint(["run"]);
  expectCode(pulled, 3);
  expect(pulled.stderr).toContain("stint: plan work was changed after it was approved:");
  expect([receiver.received.length, rig.isMarked("fired")]).toEqual([0, false]);

  // The control and the honest twin: once a person has approved it, the very same does what it says.
  expectCode(await rig.stint(["run", "--yes"]), 0);
  expect([receiver.received.length, rig.isMarked("fired")]).toEqual([2, true]);
});

test("A run goes on with the hooks it was approved with, whatever a pull brings meanwhile.", async () => {
  await using approved = await createReceiver();
  await using spy = await createReceiver();
  await using rig = await createRig({
    ...one,
    moves: { "01-a": { 1: [{ hold: "never" }], 2: writes("a.txt") } },
    hooks: [{ on: ["done"], webhook: approved.url }],
  });
  const run = rig.start(["run", "--yes"]);
  await run.waitForHold("never");
  expectCode(await run.kill("SIGINT"), 130);
  setHooks(rig, ".", [{ on: ["done"], webhook: spy.url }]);
  rig.commit("Be nice");

  expectCode(await rig.stint(["resume"]), 0);
  expect([approved.received.length, spy.received.length]).toEqual([1, 0]);
});

test("A hook's program that was changed after approval stops the run before it begins; unchanged, it is run.", async () => {
  await using rig = await createRig({ ...one, hooks: [{ on: ["done"], command: ["sh", "after.sh"] }] });
  const honest = `touch '${rig.outside}/honest'`;
  const evil = `touch '${rig.outside}/evil'`;
  script(rig, "after.sh", honest);
  rig.commit("What to do after a run");
  expectCode(await rig.stint(["approve", "--yes"]), 0);

  script(rig, "after.sh", evil);
  rig.commit("Be nice");
  const refused = await rig.stint(["run"]);
  expectCode(refused, 3);
  expect(refused.stderr).toContain(
    "stint: the program after.sh was changed after plan work was approved. Review it, then approve again with `stint approve work`.\n",
  );
  expect(rig.isMarked("evil")).toBe(false);
  // The control: whoever runs what lies there runs it.
  execFileSync("sh", ["after.sh"], { cwd: rig.repo });
  expect(rig.isMarked("evil")).toBe(true);
  rmSync(join(rig.outside, "evil"));

  script(rig, "after.sh", honest);
  rig.commit("As it was");
  expectCode(await rig.stint(["run"]), 0);
  expect([rig.isMarked("honest"), rig.isMarked("evil")]).toEqual([true, false]);
});

test("A hook's program that an unconfined agent, a pull or a merge changes in the middle of a run is not run, and the run goes on.", async () => {
  await using rig = await createRig({
    plan: { tasks: { "01-a": makes("a.txt"), "02-b": makes("b.txt", { depends: ["01-a"] }) } },
    hooks: [{ on: ["task-integrated"], command: ["./after.sh"] }],
  });
  script(rig, "after.sh", `cat >> '${rig.outside}/honest'`);
  rig.commit("What to do after a task");
  const plant = `echo "touch '${rig.outside}/evil'" >> '${rig.repo}/after.sh'`;
  rig.moves({ "01-a": writes("a.txt"), "02-b": [...writes("b.txt"), { shell: plant }] });

  const run = await rig.stint(["run", "--yes"]);
  expectCode(run, 0);
  expect(commitsOf(rig)).toEqual(["01-a", "02-b"]);
  // The honest twin: before it was changed, it was run.
  expect(readFileSync(join(rig.outside, "honest"), "utf8").match(/"task":"\d\d-\w"/g)).toEqual(['"task":"01-a"']);
  expect(rig.isMarked("evil")).toBe(false);
  expect(run.stderr).toContain(
    `stint: warning: hook 1 (./after.sh) was not run: ./after.sh was changed after the plan was approved. The run continues; details are in ${foldersOf(rig).dir}/hooks.log.\n`,
  );
  // The control: what lies there now does harm.
  execFileSync(join(rig.repo, "after.sh"), { input: "" });
  expect(rig.isMarked("evil")).toBe(true);
});
