import { readFileSync } from "node:fs";
import { join } from "node:path";
import { runName } from "../../engine/run-name.ts";
import { isPlanOf } from "../../engine/revise.ts";
import type { RunState } from "../../engine/state.ts";
import { diffText } from "../../git/diff.ts";
import { runLimits } from "../limits.ts";
import type { TaskChange } from "../../plan/diff.ts";
import { isOfPlan, planPaths } from "../../plan/plan-folder.ts";
import type { Plan } from "../../plan/types.ts";
import { visible } from "../../base/visible.ts";
import type { DraftProblem } from "../../planning/machine/assessment.ts";
import { readApproval } from "../../approval/approvals.ts";
import { uncommittedPlanFiles } from "../../approval/approved-plan.ts";
import { readCommittedPlan } from "../../approval/committed-plan.ts";
import { head } from "../../git/user-repo.ts";
import { runPaths, type Paths } from "../../project/paths.ts";
import type { Project } from "../../project/project.ts";
import { findRuns, type StartedRun } from "../../project/runs.ts";

/** Everything a person sees before approving a revision. `--json` prints it as it is. */
export interface ProposalPage {
  readonly plan: string;
  readonly run: string;
  /** What people call the run, like `invoices#3`. */
  readonly name: string;
  readonly revision: number;
  readonly commit: string;
  readonly hash: string;
  /** The tasks that could not be done as planned, and why. */
  readonly asked: readonly { readonly task: string; readonly why: string }[];
  readonly changes: readonly (TaskChange & { readonly title: string })[];
  /** Tasks that stay as they are. */
  readonly unchanged: number;
  /** The diff of the plan's folder against the current plan. */
  readonly difference: readonly string[];
  readonly problems: readonly DraftProblem[];
}

/** The unfinished run of a plan, the newest, that waits for a person's word about a revision. */
export function runWithProposal(paths: Paths, plan: string): StartedRun | undefined {
  const newest = findRuns(paths, plan).runs.at(-1);
  return newest?.state.finished === null && newest.state.replanning.proposal !== null ? newest : undefined;
}

/** Tells whether the plan or the settings in the checkout changed since they were approved: then the person means those. */
export async function hasOtherToApprove(project: Project, state: RunState): Promise<boolean> {
  const { plan } = state;
  if ((await uncommittedPlanFiles(project, plan)).length > 0) return true;
  const commit = (await head(project.repo)).sha;
  const { files, hash } = await readCommittedPlan(project, { commit, plan });
  const isThere = [...files.keys()].some((path) => isOfPlan(path, plan));
  return isThere && readApproval(project.paths, plan)?.hash !== hash && !isPlanOf(state, hash);
}

/** The plan that a run's planner proposes; undefined where its commit is damaged. */
export async function proposedPlan(project: Project, { plan, replanning }: RunState): Promise<Plan | undefined> {
  const commit = replanning.proposal?.commit;
  return commit === undefined ? undefined : (await readCommittedPlan(project, { commit, plan })).plan;
}

/** All there is to say about the revision that a run's planner proposes. */
export async function proposalPage(project: Project, state: RunState): Promise<ProposalPage> {
  const { plan, run, base, tasks, replanning } = state;
  const { proposal, inForce } = replanning;
  if (proposal === null) throw new Error(`Internal error: expected a proposal for run ${run}, but was null`);
  const { revision, commit, planHash: hash, changes } = proposal;
  const titles = new Map([...tasks.values()].map(({ spec }) => [spec.id, spec.title]));
  for (const { id, title } of proposal.tasks) titles.set(id, title);
  const asked = [...tasks.values()].filter((task) => task.replan?.revision === revision);
  return {
    plan,
    run,
    name: runName(state),
    revision,
    commit,
    hash,
    asked: asked.map(({ spec, blocked }) => ({ task: spec.id, why: blocked?.why ?? "" })),
    changes: changes.map((change) => ({ ...change, title: titles.get(change.id) ?? "" })),
    unchanged: proposal.tasks.length - changes.filter(({ change }) => change !== "removed").length,
    difference: await difference(project, { from: inForce?.commit ?? base, to: commit, paths: planPaths(plan) }),
    problems: readProblems(project.paths, run, revision),
  };
}

async function difference(project: Project, range: { from: string; to: string; paths: string[] }): Promise<string[]> {
  const { text, truncated } = await diffText(project.control, range, runLimits.revisionShownBytesMax);
  const lines = text.trimEnd().split("\n");
  return [...lines.map((line) => visible(line)), ...(truncated ? ["(the rest is not shown)"] : [])];
}

/** The problems that were left when a proposal was made, for people to read. */
export function problemsFile(paths: Paths, run: string, revision: number): string {
  return join(runPaths(paths, run).revision(revision), "problems.json");
}

function readProblems(paths: Paths, run: string, revision: number): readonly DraftProblem[] {
  try {
    return JSON.parse(readFileSync(problemsFile(paths, run, revision), "utf8")) as DraftProblem[];
  } catch {
    return [];
  }
}
