import { expect, test } from "vitest";
import { readCommittedPlan } from "../../../../src/approval/committed-plan.ts";
import { revisionRef } from "../../../../src/project/paths.ts";
import { commitRevision } from "../../../../src/run/revision/commit.ts";
import { ann, at, sh } from "../../../rig/git.ts";
import { makes, plan as planFiles } from "../../../rig/plan.ts";
import { projectWith } from "../../../rig/project.ts";

const before = planFiles({ tasks: { "01-a": makes("a.txt"), "02-b": makes("b.txt") } });
const after = planFiles({ tasks: { "01-a": makes("a.txt"), "03-c": makes("c.txt") } });

async function revise(texts: Readonly<Record<string, string>>) {
  const small = await projectWith({ ...before, "code.txt": "code\n" });
  const { project, commit: base } = small;
  const { plan, files } = await readCommittedPlan(project, { commit: base, plan: "work" });
  const documents = new Map(Object.entries(texts).map(([path, text]) => [path, Buffer.from(text)]));
  const standing = { plan: plan!, files };
  const made = await commitRevision(project, { run: "r", base, tip: base, standing, documents, identity: ann, at });
  return { ...small, made };
}

test("a revision is the run's base with the plan's folder replaced, kept by a ref that no branch has", async () => {
  const ticked = { ...after, "plans/work/plan.md": after["plans/work/plan.md"]!.replace("[ ]", "[x]") };
  const { project, root, commit: base, made } = await revise(ticked);
  if (!made.ok) throw new Error(made.failure.message);
  const { commit, tasks, changes } = made.value;
  const inControl = (...args: string[]) => sh(project.control.dir, ...args);
  expect(inControl("rev-parse", `${commit}^`)).toBe(base);
  expect(inControl("rev-parse", revisionRef("r", commit))).toBe(commit);
  expect(inControl("diff", "--no-renames", "--name-only", base, commit).split("\n")).toEqual([
    "plans/work/plan.md",
    "plans/work/tasks/02-b.md",
    "plans/work/tasks/03-c.md",
  ]);
  expect(inControl("show", `${commit}:plans/work/plan.md`)).not.toContain("[x]");
  expect(tasks.map(({ id }) => id)).toEqual(["01-a", "03-c"]);
  expect(changes.map(({ id, change }) => `${id} ${change}`).toSorted()).toEqual(["02-b removed", "03-c added"]);
  expect(sh(root, "rev-parse", "HEAD")).toBe(base);
});

test("documents that are no plan are refused, and a file outside the plan's folder is an internal error", async () => {
  expect((await revise({ "plans/work/plan.md": "no plan\n" })).made).toMatchObject({
    ok: false,
    failure: { reason: "unreadable" },
  });
  await expect(revise({ ...after, "code.txt": "evil" })).rejects.toThrow("expected a file of plans/work");
});
