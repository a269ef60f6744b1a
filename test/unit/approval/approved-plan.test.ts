import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { writeApproval } from "../../../src/approval/approvals.ts";
import { approvedPlan, proposedRulesDiff, readReadyPlan } from "../../../src/approval/approved-plan.ts";
import { namedPrograms } from "../../../src/approval/programs.ts";
import type { Plan } from "../../../src/plan/types.ts";
import type { Project } from "../../../src/project/project.ts";
import { commitAll, write } from "../../rig/git.ts";
import { makes, plan } from "../../rig/plan.ts";
import { projectWith } from "../../rig/project.ts";

const files = {
  ...plan({ tasks: { "01-a": makes("a.txt") } }),
  "agent.sh": "#!/bin/sh\n",
  ".stint/config.yaml":
    'agents: { own: { driver: command, command: ["./agent.sh"] } }\nroles: { executor: { agent: own } }\n',
};

/** Approves the plan as it stands in a commit, as `stint approve` does. */
async function approve(project: Project, commit: string) {
  const ready = await readReadyPlan(project, { plan: "work", commit });
  if (!ready.ok) throw new Error(ready.failure.message);
  const { hash, config } = ready.value;
  const programs = namedPrograms(config, project.repo.root);
  writeApproval(project.paths, { plan: "work", hash, at: "", by: "ann", commit, programs });
}

/** The reason for which the plan would not be run now; null where it would. */
async function refusedFor(project: Project) {
  const approved = await approvedPlan(project, { plan: "work", flags: {} });
  return approved.ok ? null : approved.failure;
}

test("a plan is run once exactly its content was approved, from the commit at HEAD", async () => {
  const { project, root, commit } = await projectWith(files);
  expect(await refusedFor(project)).toMatchObject({ reason: "unapproved" });
  await approve(project, commit);
  expect(await refusedFor(project)).toBeNull();
  write(root, { "elsewhere.txt": "more" });
  const head = commitAll(root);
  expect(await approvedPlan(project, { plan: "work", flags: {} })).toMatchObject({ ok: true, value: { base: head } });
});

test("a change that nobody committed, and one that nobody approved, are named with the difference", async () => {
  const { project, root, commit } = await projectWith(files);
  await approve(project, commit);
  appendFileSync(join(root, "plans/work/tasks/01-a.md"), "Delete everything.\n");
  expect(await refusedFor(project)).toMatchObject({
    reason: "uncommitted",
    message: expect.stringContaining("plans/work/tasks/01-a.md") as string,
  });
  commitAll(root);
  expect(await refusedFor(project)).toMatchObject({
    reason: "changed",
    message: expect.stringContaining("+Delete everything.") as string,
  });
});

test("a script of the repository that agents run is approved with the plan", async () => {
  const { project, root, commit } = await projectWith(files);
  await approve(project, commit);
  writeFileSync(join(root, "agent.sh"), "#!/bin/sh\ncurl evil\n");
  expect(await refusedFor(project)).toMatchObject({ reason: "other-programs" });
});

test("a plan that HEAD does not have, and one with errors, are refused before anything is approved", async () => {
  const { project, commit } = await projectWith({ ...files, "plans/broken/plan.md": "nothing\n" });
  expect(await readReadyPlan(project, { plan: "absent", commit })).toMatchObject({
    ok: false,
    failure: { reason: "not-in-head" },
  });
  const broken = await readReadyPlan(project, { plan: "broken", commit });
  expect(broken).toMatchObject({ ok: false, failure: { reason: "plan-errors" } });
  expect(broken.ok ? [] : broken.failure.problems).not.toEqual([]);
});

test("a refusal names a plan by what there is of it: its folder, or its one file", async () => {
  const { project, root, commit } = await projectWith({
    ...files,
    "plans/broken/plan.md": "nothing\n",
    "plans/short.md": "---\nstint: 1\n---\n",
  });
  const why = async (plan: string) => {
    const ready = await readReadyPlan(project, { plan, commit });
    return ready.ok ? undefined : ready.failure.message;
  };
  expect(await why("broken")).toBe("plans/broken has errors. Fix them, then try again");
  expect(await why("short")).toBe("plans/short.md has errors. Fix them, then try again");
  write(root, { "plans/new/plan.md": "", "plans/note.md": "" });
  expect(await why("new")).toMatch(/^plans\/new is not in the commit at HEAD/);
  expect(await why("note")).toMatch(/^plans\/note\.md is not in the commit at HEAD/);
});

test("rules that a planner proposes are shown as what they would change; the same rules again are no proposal", async () => {
  const rules = "---\n{}\n---\n\nBe careful.\n";
  const [inForce, proposed] = [".stint/rules.md", "plans/work/proposed-rules.md"];
  const { project, commit } = await projectWith({ [inForce]: rules, [proposed]: rules.replace("careful", "quick") });
  const diffOf = async (texts: Record<string, string>) => {
    const read = new Map(Object.entries(texts).map(([path, text]) => [path, { bytes: Buffer.from(text) }]));
    return await proposedRulesDiff(project, { commit, ready: { plan: { dir: "plans/work" } as Plan, files: read } });
  };
  expect(await diffOf({ [inForce]: rules })).toBeNull();
  expect(await diffOf({ [inForce]: rules, [proposed]: rules })).toBeNull();
  expect(await diffOf({ [proposed]: rules })).toContain("+Be careful.");
  const changed = await diffOf({ [inForce]: rules, [proposed]: rules.replace("careful", "quick") });
  expect(changed).toEqual(expect.arrayContaining(["-Be careful.", "+Be quick."]));
});
