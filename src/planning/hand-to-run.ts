import { systemUser } from "../base/system-user.ts";
import type { PlanningState } from "./machine/state.ts";
import type { Standing } from "./machine/revise.ts";
import { fail, ok, type Result } from "../base/result.ts";
import type { Project } from "../project/project.ts";
import { acceptRevision } from "../run/revision/revise-run.ts";
import { readRun } from "../project/runs.ts";
import type { AssessedDraft } from "./machine/assessment.ts";
import { handOver } from "./hand-to-checkout.ts";
import { readStanding, type StandingPlan } from "./standing-plan.ts";

/** What a draft is compared with; a run that executes the plan may have gone on since the planning began. */
export async function standingNow(
  project: Project,
  { base, plan, revises }: PlanningState,
  standing: StandingPlan | null,
): Promise<{ readonly base: string; readonly standing: Standing | null }> {
  const run = revises?.run ?? null;
  const now = run === null ? undefined : await readStanding(project, { plan, run });
  return now?.ok === true ? now.value : { base, standing: standing?.standing ?? null };
}

/** An accepted draft, and what it is for. */
export interface Accepted {
  readonly state: PlanningState;
  readonly standing: StandingPlan | null;
  readonly assessed: AssessedDraft;
  readonly signal: AbortSignal;
}

/** Puts an accepted plan into the checkout, or gives it to the unfinished run of the plan that it revises. */
export async function handOverFor(
  project: Project,
  { state, standing, assessed, signal }: Accepted,
): Promise<Result<readonly string[]>> {
  const { plan, headless, revises } = state;
  const run = revises?.run ?? null;
  if (run !== null) return await handToRun(project, assessed, { run, plan, headless, signal });
  const before = standing === null ? {} : { standing: standing.standing.files };
  return await handOver(project, { plan, documents: assessed.documents, replace: standing !== null, ...before });
}

/**
 * Hands a person's revision to the run that executes the plan: nothing is written to the checkout, for the revised plan
 * lands with the run's next task. Where nobody has seen the draft, the run's own settings have to allow that.
 */
async function handToRun(
  project: Project,
  assessed: AssessedDraft,
  of: { readonly run: string; readonly plan: string; readonly headless: boolean; readonly signal: AbortSignal },
): Promise<Result<readonly string[]>> {
  const { run, plan, headless, signal } = of;
  const read = readRun(project.paths, run);
  if (!read.ok) return read;
  if (headless && read.value.state?.settings.replan !== "auto") {
    const why = `run ${run} goes on with another plan only by a person's word, and nobody saw this one`;
    return fail("unapproved", `${why}. Judge it in a terminal: stint plan --continue ${plan}`);
  }
  const by = headless ? null : systemUser().name;
  const accepted = await acceptRevision(project, { run, assessed, by, signal });
  return accepted.ok ? ok([]) : accepted;
}
