import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { expectCode } from "../rig/facts.ts";
import { writes } from "../rig/moves.ts";
import { makes } from "../rig/plan.ts";
import { createRig, type Rig } from "../rig/rig.ts";

async function finished(): Promise<Rig> {
  const rig = await createRig({
    plan: { tasks: { "01-a": makes("a.txt") } },
    moves: { "01-a": writes("a.txt") },
  });
  expectCode(await rig.stint(["run", "--yes"]), 0);
  return rig;
}

test("A finished plan whose branch was merged is finished, not an error.", async () => {
  await using rig = await finished();
  rig.git("merge", "--quiet", "stint/work");

  const again = await rig.stint(["run"]);
  expectCode(again, 0);
  expect(again.stderr).toContain("is finished (done): nothing to do.");
  expectCode(await rig.stint(["lint"]), 0);
});

test("A finished plan that was changed since, but not committed, is not taken for finished.", async () => {
  await using rig = await finished();
  rig.write("plans/work/notes.md", "one more thing\n");

  expectCode(await rig.stint(["run"]), 3);
  expectCode(await rig.stint(["run", "--yes"]), 0);
  expect(rig.git("for-each-ref", "--format=%(refname)", "refs/stint/keep").match(/base/g)).toHaveLength(2);
});

test("A branch that was deleted after the run is missed by status, with the commit to find the work by.", async () => {
  await using rig = await finished();
  expect(await rig.status()).toMatchObject({ published: true });
  const tip = rig.git("rev-parse", "stint/work");
  rig.git("branch", "-D", "stint/work");

  expect(await rig.status()).toMatchObject({ published: false });
  const again = await rig.stint(["run"]);
  expectCode(again, 0);
  expect(again.stderr).toContain(`Branch stint/work does not exist; the run's work is at ${tip}.`);
  rig.git("branch", "found", tip);
  expect(rig.git("show", "found:a.txt")).toBe("ready");
});

test("A plan that is not committed is said to be so, by every command that needs it committed.", async () => {
  await using rig = await createRig({ plan: { tasks: { "01-a": makes("a.txt") } } });
  rig.git("rm", "--quiet", "--cached", "-r", "plans");
  rig.git("commit", "--quiet", "--message", "no plan");
  writeFileSync(join(rig.gitDir, "info", "exclude"), "plans\n");

  for (const args of [["run", "--dry-run"], ["run"], ["approve", "--yes"]]) {
    const ended = await rig.stint(args);
    expectCode(ended, 3);
    expect(ended.stderr).toContain("plans/work is not in the commit at HEAD, which is what a run uses.");
  }
  const check = await rig.stint(["check"]);
  expectCode(check, 0);
  expect(check.stdout).toBe("01-a Do 01-a\n  red    grep -q ready a.txt (exit 2)\n1 check: 1 red\n");
});

test("A commit that a hook refuses leaves the index as it was.", async () => {
  await using rig = await createRig({ plan: { tasks: { "01-a": makes("a.txt") } } });
  const hook = join(rig.gitDir, "hooks", "pre-commit");
  writeFileSync(hook, "#!/bin/sh\necho no plans today >&2\nexit 1\n");
  chmodSync(hook, 0o755);
  rig.write("plans/work/notes.md", "a note\n");
  rig.write("staged.txt", "the user's own\n");
  rig.git("add", "staged.txt");
  const before = rig.git("status", "--short");

  const approve = await rig.stint(["approve", "--yes"]);

  expectCode(approve, 1);
  expect(approve.stderr).toContain("no plans today");
  expect(rig.git("status", "--short")).toBe(before);
});

test("An open decision stops approve before anything is committed.", async () => {
  const decisions = [{ id: "colour", question: "Which colour?", options: ["red", "blue"] }];
  await using rig = await createRig({ plan: { tasks: { "01-a": makes("a.txt") }, decisions } });
  rig.write("plans/work/notes.md", "a note\n");
  const before = rig.git("rev-parse", "HEAD");

  const approve = await rig.stint(["approve", "--yes"]);

  expectCode(approve, 3);
  expect(approve.stderr).toContain("colour: Which colour?");
  expect(rig.git("rev-parse", "HEAD")).toBe(before);
});

test("The cap of a run is kept by resume, until a higher one is given.", async () => {
  await using rig = await createRig({
    plan: { tasks: { "01-a": makes("a.txt"), "02-b": makes("b.txt", { depends: ["01-a"] }) } },
    moves: { "01-a": [...writes("a.txt"), { usage: { usd: 3 } }], "02-b": writes("b.txt") },
  });
  expectCode(await rig.stint(["run", "--yes", "--budget-usd", "2"]), 5);
  expectCode(await rig.stint(["resume"]), 5);
  expectCode(await rig.stint(["resume", "--budget-usd", "10"]), 0);
});
