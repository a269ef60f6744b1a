import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { expectCode } from "../rig/facts.ts";
import { makes } from "../rig/plan.ts";
import { createRig } from "../rig/rig.ts";

test("Every command that needs the plan to be committed says so if it is not.", async () => {
  await using rig = await createRig({ plan: { tasks: { "01-a": makes("a.txt") } } });
  rig.git("rm", "--quiet", "--cached", "-r", "plans");
  rig.git("commit", "--quiet", "--message", "no plan");
  writeFileSync(join(rig.gitDir, "info", "exclude"), "plans\n");

  for (const args of [["run", "--dry-run"], ["run"], ["approve", "--yes"]]) {
    const ended = await rig.stint(args);
    expectCode(ended, 3);
    expect(ended.stderr).toContain("plans/work is not in the commit at HEAD, which is what a run uses.");
    expect(ended.stderr).toContain(`git ignores plans/work/plan.md (${rig.gitDir}/info/exclude:1: plans)`);
  }
  const lint = await rig.stint(["lint"]);
  expectCode(lint, 0);
  expect(lint.stdout).toContain("plans/work/plan.md:1:1: warning: git ignores plans/work/plan.md (");
  const check = await rig.stint(["check"]);
  expectCode(check, 0);
  expect(check.stdout.replace(/log: .*/, "log: …")).toBe(
    "01-a Do 01-a\n  red    grep -q ready a.txt (exit 2)\n         | grep: a.txt: No such file or directory\n         log: …\n1 check: 1 red\n",
  );
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
