import { chmodSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  hasErrors,
  readCommittedPlan,
  readCommittedSettings,
  readingFlags,
} from "../../../src/approval/committed-plan.ts";
import { planLimits } from "../../../src/plan/limits.ts";
import { commitAll } from "../../rig/git.ts";
import { makes, plan } from "../../rig/plan.ts";
import { projectWith } from "../../rig/project.ts";

const files = { ...plan({ tasks: { "01-a": makes("a.txt") } }), ".stint/config.yaml": "run: { parallel: 2 }\n" };

test("a plan is read as its commit has it, not as it lies in the work tree", async () => {
  const { project, root, commit } = await projectWith(files);
  const before = await readCommittedPlan(project, { commit, plan: "work" });
  expect(before.problems.filter(({ severity }) => severity === "error")).toEqual([]);
  expect(before.plan?.tasks.map(({ id }) => id)).toEqual(["01-a"]);
  expect(before.config.run.parallel).toBe(2);
  writeFileSync(join(root, "plans/work/plan.md"), "broken");
  expect((await readCommittedPlan(project, { commit, plan: "work" })).hash).toBe(before.hash);
  const after = await readCommittedPlan(project, { commit: commitAll(root), plan: "work" });
  expect(after.hash).not.toBe(before.hash);
  expect(hasErrors(after.problems)).toBe(true);
});

test("an option of the command line overrides the settings, and the hash stays that of the files", async () => {
  const { project, commit } = await projectWith(files);
  const flags = { parallel: 5, budgetUsd: 3 };
  const [plain, flagged] = await Promise.all([
    readCommittedPlan(project, { commit, plan: "work" }),
    readCommittedPlan(project, { commit, plan: "work", flags }),
  ]);
  expect([plain.config.run.parallel, flagged.config.run.parallel, flagged.config.budget.usd]).toEqual([2, 5, 3]);
  expect(flagged.hash).toBe(plain.hash);
  expect([...(await readCommittedSettings(project, commit)).keys()]).toEqual([".stint/config.yaml"]);
});

test("a link and a file that is too large are errors and never drop out of what is approved; a script is known as one", async () => {
  const { project, root } = await projectWith({ ...files, "plans/work/inputs/tool.sh": "#!/bin/sh\n" });
  unlinkSync(join(root, "plans/work/scope.md"));
  symlinkSync("/etc/passwd", join(root, "plans/work/scope.md"));
  writeFileSync(join(root, "plans/work/large.md"), "x".repeat(planLimits.planFileBytesMax + 1));
  chmodSync(join(root, "plans/work/inputs/tool.sh"), 0o755);
  const read = await readCommittedPlan(project, { commit: commitAll(root), plan: "work" });
  expect(read.files.get("plans/work/scope.md")).toEqual({ unreadable: "is a symlink, not a file" });
  expect(read.files.get("plans/work/large.md")).toMatchObject({
    unreadable: expect.stringContaining("bytes; at most") as string,
  });
  expect(read.files.get("plans/work/inputs/tool.sh")).toMatchObject({ executable: true });
  expect(hasErrors(read.problems)).toBe(true);
});

test("a flag that was not given is absent, not undefined", () => {
  expect(Object.keys(readingFlags({ parallel: 2 }))).toEqual(["parallel"]);
  expect(readingFlags({ budgetUsd: 0.5, parallel: 1 })).toEqual({ budgetUsd: 0.5, parallel: 1 });
});
