import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { writeApproval, type Approval } from "../../../src/approval/approvals.ts";
import {
  readCommittedPlan,
  readPlan,
  type CommittedPlan,
  type ReadingFlags,
} from "../../../src/approval/committed-plan.ts";
import {
  askedBefore,
  isStillApproved,
  planInForce,
  plansOfRun,
  runWithOtherSettings,
  settingsOf,
  specsOf,
  withApprovedSettings,
} from "../../../src/approval/plan-of-run.ts";
import type { RunState } from "../../../src/engine/state.ts";
import type { Task } from "../../../src/plan/types.ts";
import type { StartedRun } from "../../../src/project/runs.ts";
import { commitAll } from "../../rig/git.ts";
import { makes, plan } from "../../rig/plan.ts";
import { projectWith, type SmallProject } from "../../rig/project.ts";
import { settings, spec, World } from "../../rig/world.ts";

const files = {
  ...plan({ tasks: { "01-a": makes("a.txt"), "02-b": makes("b.txt", { depends: ["01-a"] }) } }),
  ".stint/config.yaml": "budget: { usd: 1 }\n",
};

/** The plan as it is read, without a repository. */
function reading(flags: ReadingFlags = {}) {
  const read = new Map(Object.entries(files).map(([path, text]) => [path, { bytes: Buffer.from(text) }]));
  return readPlan({ env: { HOME: "/nowhere", PATH: "" } }, { plan: "work", files: read, repoFiles: new Set(), flags });
}

/** A run of the plan on its first commit, and how to commit a change to one file since. */
async function started() {
  const small = await projectWith(files);
  const { hash } = await readCommittedPlan(small.project, { commit: small.commit, plan: "work" });
  const { state } = new World([spec("01-a")]);
  Object.assign(state, { plan: "work", planHash: hash, base: small.commit, tip: small.commit });
  const run: StartedRun = { id: "r", entries: [], state };
  const commitOf = (file: string, text: string) => {
    writeFileSync(join(small.root, file), text);
    return commitAll(small.root);
  };
  return { ...small, hash, state, run, commitOf };
}

async function approvalOf({ project }: SmallProject, commit: string): Promise<Approval> {
  const { hash } = await readCommittedPlan(project, { commit, plan: "work" });
  return { plan: "work", hash, at: "", by: "ann", commit, programs: {} };
}

test("the journal keeps the settings that decide, and options are known again on resume", () => {
  const kept = settingsOf(reading({ parallel: 4 }), { parallel: 4 });
  expect(kept).toMatchObject({ parallel: 4, budgetUsd: 1, taskUsd: null, askedParallel: 4, askedUsd: null });
  expect(askedBefore({ ...kept, only: null })).toEqual({ parallel: 4 });
  expect(askedBefore(settings)).toEqual({});
});

test("the journal keeps each task with what it may touch, and no estimate as null", () => {
  const { plan: read } = reading();
  expect(specsOf(read!, new Set(["a.txt"]))).toMatchObject([
    { id: "01-a", depends: [], estimateMs: 900_000 },
    { id: "02-b", depends: ["01-a"], files: { create: ["b.txt"] } },
  ]);
  const unestimated = { ...read!.tasks[0]!, estimateMs: undefined } as unknown as Task;
  expect(specsOf({ ...read!, tasks: [unestimated] }, new Set())).toMatchObject([{ id: "01-a", estimateMs: null }]);
});

test("the plan in force is that of the base until a revision is; either must be what the journal names", () => {
  const one = { hash: "h", plan: { name: "p" }, files: new Map() } as unknown as CommittedPlan;
  const two = { ...one, hash: "h2", plan: { name: "p2" } } as unknown as CommittedPlan;
  const { state } = new World([spec("a")]);
  const inForce = { commit: "c2", planHash: "h2" } as unknown as RunState["replanning"]["inForce"];
  const revised = { ...state, replanning: { ...state.replanning, inForce } };
  expect(planInForce(state, { started: one, revised: undefined })).toMatchObject({ value: { plan: one.plan } });
  expect(planInForce(revised, { started: one, revised: two })).toMatchObject({ value: { plan: two.plan } });
  const differs = { ok: false, failure: { reason: "plan-differs" } };
  expect(planInForce(state, { started: two, revised: undefined })).toMatchObject(differs);
  expect(planInForce(revised, { started: one, revised: one })).toMatchObject(differs);
});

test("a cap that was approved since applies to the same run; another plan does not", async () => {
  const run = await started();
  const { project, state, commitOf } = run;
  const plans = await plansOfRun(project, state);
  const raised = await approvalOf(run, commitOf(".stint/config.yaml", "budget: { usd: 9 }\n"));
  const now = await withApprovedSettings(project, { ...plans, approval: raised, flags: {} });
  expect([now.isApproved, now.ready.config.budget.usd, now.ready.hash]).toEqual([true, 9, state.planHash]);
  const other = await approvalOf(run, commitOf("plans/work/scope.md", "# Scope\n\nAnother one.\n"));
  const then = await withApprovedSettings(project, { ...plans, approval: other, flags: {} });
  expect([then.isApproved, then.ready.config.budget.usd]).toEqual([false, 1]);
});

test("a run is still approved, and found by its plan, when only settings differ; an older run and another plan are not", async () => {
  const run = await started();
  const { project, commitOf } = run;
  const found = async (head: string) => {
    const ready = await readCommittedPlan(project, { commit: head, plan: "work" });
    return await runWithOtherSettings(project, [run.run], { ready, head });
  };
  expect(await isStillApproved(project, [run.run], run.run)).toBe(false);
  const raised = commitOf(".stint/config.yaml", "budget: { usd: 9 }\n");
  writeApproval(project.paths, await approvalOf(run, raised));
  expect(await isStillApproved(project, [run.run], run.run)).toBe(true);
  expect(await isStillApproved(project, [run.run, { ...run.run, id: "newer" }], run.run)).toBe(false);
  expect((await found(raised))?.id).toBe("r");
  expect(await found(commitOf("plans/work/scope.md", "# Scope\n\nAnother one.\n"))).toBeUndefined();
});
