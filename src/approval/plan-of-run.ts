import { runName } from "../engine/run-name.ts";
import type { RunState } from "../engine/state.ts";
import { isPlanOf } from "../engine/revise.ts";
import { approvalHash } from "../plan/hash.ts";
import { isOfPlan } from "../plan/plan-folder.ts";
import { isQuickPlan } from "../plan/quick-plan.ts";
import { readPlanFilesFromDisk } from "../plan/read.ts";
import type { PlanFile, Plan, PlanFiles } from "../plan/types.ts";
import { readApproval, type Approval } from "./approvals.ts";
import { readCommittedPlan, type CommittedPlan, type PlanReading, type ReadingFlags } from "./committed-plan.ts";
import { runPaths } from "../project/paths.ts";
import type { Project } from "../project/project.ts";
import { configFile } from "../project/settings.ts";
import { waitsInVain, type StartedRun } from "../project/runs.ts";
import { fail, ok, type Result } from "../base/result.ts";
import type { RunSettings, TaskSpec } from "../engine/events.ts";
import { claimsOfAll } from "../plan/claims.ts";

/** The journal keeps these settings, which decide what a run does. */
export function settingsOf(
  { config: { run, budget }, rules: { push }, plan }: PlanReading,
  flags: ReadingFlags,
): Omit<RunSettings, "only"> {
  const { parallel, attempts, escalateAfter, reverify, scopeRequests, replanMax } = run;
  // What was typed in one line is typed anew rather than planned anew.
  const replan = plan !== undefined && isQuickPlan(plan.name) ? "never" : run.replan;
  const { usd = null, tokens = null, taskUsd = null } = budget;
  const asked = { askedUsd: flags.budgetUsd ?? null, askedParallel: flags.parallel ?? null };
  const caps = { budgetUsd: usd, budgetTokens: tokens, taskUsd };
  return { parallel, attempts, escalateAfter, ...caps, ...asked, reverify, scopeRequests, push, replan, replanMax };
}

/** An option of the command line stays in effect until it is given again. */
export function askedBefore({ askedUsd, askedParallel }: RunSettings): ReadingFlags {
  return {
    ...(askedUsd !== null && { budgetUsd: askedUsd }),
    ...(askedParallel !== null && { parallel: askedParallel }),
  };
}

/** The journal keeps these tasks, each with what it may touch on the run's base. */
export function specsOf({ tasks }: Plan, tree: ReadonlySet<string>): TaskSpec[] {
  const claims = claimsOfAll(tasks, tree);
  return tasks.map(({ id, title, depends, files, complexity, estimateMs, role }, at) => {
    const rest = { complexity, estimateMs: estimateMs ?? null, role, claims: claims[at]! };
    return { id, title, depends, files, ...rest };
  });
}

/** The plan of a run as it was approved: when the run started and, where it was revised since, as it is now. */
export interface PlansOfRun {
  readonly started: CommittedPlan;
  readonly revised: CommittedPlan | undefined;
}

/** Reads the plan that a run was started with, and the revision in force. */
export async function plansOfRun(
  project: Project,
  { run, base, plan, replanning }: Pick<RunState, "run" | "base" | "plan" | "replanning">,
  flags: ReadingFlags = {},
): Promise<PlansOfRun> {
  const documents = isQuickPlan(plan) ? { documents: keptDocuments(project, run, plan) } : {};
  const started = await readCommittedPlan(project, { commit: base, plan, flags, ...documents });
  const commit = replanning.inForce?.commit;
  return {
    started,
    revised: commit === undefined ? undefined : await readCommittedPlan(project, { commit, plan, flags }),
  };
}

/** The run's own folder has a quick plan. */
function keptDocuments({ paths }: Project, run: string, plan: string): PlanFiles {
  const kept = readPlanFilesFromDisk(runPaths(paths, run).dir, plan);
  return new Map([...kept].filter(([path]) => isOfPlan(path, plan)));
}

/** Returns the documents that apply now. Rules and settings are those of the base in any case. */
export function planInForce(
  state: RunState,
  { started, revised }: PlansOfRun,
): Result<{ readonly plan: Plan; readonly files: PlanFiles }> {
  const { inForce } = state.replanning;
  if (started.plan === undefined || started.hash !== state.planHash) return fail("plan-differs", whyOther(state));
  if (inForce === null || revised === undefined) return ok({ plan: started.plan, files: started.files });
  if (revised.plan === undefined || revised.hash !== inForce.planHash) {
    const what = `the plan at ${inForce.commit} is not the revision that run ${runName(state)} uses`;
    return fail("plan-differs", `${what}. Start a new run.`);
  }
  return ok({ plan: revised.plan, files: revised.files });
}

function whyOther(state: RunState): string {
  const not = `is not the one run ${runName(state)} was started with`;
  if (!isQuickPlan(state.plan)) return `the plan at ${state.base} ${not}. Start a new run.`;
  return `the plan in stint/runs/${state.run} of your git folder ${not}. Put it back, or move that folder away and start over with \`stint do\`.`;
}

/**
 * The settings that a run is resumed with. A person may have approved others since it started, to raise a cap or correct a
 * model; as long as the plan and the rules are the same, that is the same run, and what it has done stays done.
 * A plan that was revised in the run is the same in both forms: the user's branch has one of them, before or after a merge.
 */
export async function withApprovedSettings(
  project: Project,
  options: PlansOfRun & {
    readonly approval: Approval | undefined;
    readonly flags: ReadingFlags;
  },
): Promise<{ readonly ready: CommittedPlan; readonly isApproved: boolean }> {
  const { started, revised, approval, flags } = options;
  if (approval === undefined || approval.hash === started.hash || approval.hash === revised?.hash) {
    return { ready: started, isApproved: approval !== undefined };
  }
  const { plan, commit } = approval;
  const now = await readCommittedPlan(project, { commit, plan, flags });
  if (now.hash !== approval.hash || !differInSettings(now, options, plan)) return { ready: started, isApproved: false };
  const { config, problems } = now;
  return { ready: { ...started, config, problems }, isApproved: true };
}

/** True where the plan of a run is still approved, also with other settings: those apply only to the plan's newest run. */
export async function isStillApproved(
  project: Project,
  runs: readonly StartedRun[],
  { id, state }: StartedRun,
): Promise<boolean> {
  const approval = readApproval(project.paths, state.plan);
  if (approval === undefined || isPlanOf(state, approval.hash)) return approval !== undefined;
  if (runs.findLast((run) => run.state.plan === state.plan)?.id !== id) return false;
  const plans = await plansOfRun(project, state);
  return (await withApprovedSettings(project, { ...plans, approval, flags: {} })).isApproved;
}

/** The unfinished run of the same plan and rules that was started with other settings than those approved now. */
export async function runWithOtherSettings(
  project: Project,
  runs: readonly StartedRun[],
  { ready, head }: { readonly ready: CommittedPlan; readonly head: string },
): Promise<StartedRun | undefined> {
  const newest = runs.at(-1);
  if (newest === undefined || newest.state.finished !== null || waitsForOther(newest, head)) return undefined;
  return differInSettings(ready, await plansOfRun(project, newest.state), newest.state.plan) ? newest : undefined;
}

/** A run that was stopped by a cap waits for just this, whatever was committed; what it has spent must count. */
function waitsForOther({ state }: StartedRun, head: string): boolean {
  return state.parked?.reason !== "budget" && waitsInVain(state, head);
}

function differInSettings(now: CommittedPlan, { started, revised }: PlansOfRun, plan: string): boolean {
  const known = [started, ...(revised === undefined ? [] : [revised])];
  const isSame = known.some((one) => hashWithoutSettings(one, plan) === hashWithoutSettings(now, plan));
  return isSame && trusted(now) === trusted(started);
}

/** The agents that read settings which the repository ships for them. */
function trusted({ config }: PlanReading): string {
  const agents = Object.entries(config.agents).filter(([, agent]) => agent.repoSettings);
  return JSON.stringify(agents.map(([name]) => name).toSorted());
}

/** Settings that the repository ships for agents count where agents read them: the run's base may ship others than those approved now. */
function hashWithoutSettings({ files, shipped }: CommittedPlan, plan: string): string {
  const honoured = shipped.flatMap(({ path, file }): [string, PlanFile][] =>
    file === undefined ? [] : [[path, file]],
  );
  return approvalHash(new Map([...files].filter(([path]) => path !== configFile)), plan, new Map(honoured));
}
