import { existsSync } from "node:fs";
import { join } from "node:path";
import { plansOfRun, planInForce } from "../approval/plan-of-run.ts";
import { readCommittedPlan } from "../approval/committed-plan.ts";
import { fail, ok, type Result } from "../base/result.ts";
import { head } from "../git/user-repo.ts";
import { planPathOf } from "../plan/plan-folder.ts";
import type { Project } from "../project/project.ts";
import { readRun } from "../project/runs.ts";
import { documentsOf, revisionBriefing, standingOf } from "../run/revision/briefing.ts";
import type { RevisionBriefing, Standing } from "./machine/revise.ts";
import type { PlanningState } from "./machine/state.ts";

/** A plan that is to be revised, as it is now. */
export interface StandingPlan {
  /** The tip of its unfinished run, else HEAD. */
  readonly base: string;
  readonly standing: Standing;
  readonly briefing: RevisionBriefing;
}

/** Reads the plan that is revised with all that is known about it; `base` fixes the commit where it was chosen before. */
export async function readStandingPlan(
  project: Project,
  { plan, run, base }: { readonly plan: string; readonly run: string | null; readonly base?: string },
): Promise<Result<StandingPlan>> {
  if (run !== null) return await standingInRun(project, run, base);
  const commit = base ?? (await head(project.repo)).sha;
  const { plan: parsed, files } = await readCommittedPlan(project, { commit, plan });
  if (parsed === undefined) {
    const isThere = (path: string) => files.has(path) || existsSync(join(project.repo.root, path));
    const what = `${planPathOf(plan, isThere)} cannot be read in ${commit.slice(0, 12)}`;
    return fail("no-plan", `${what}. Commit it, then try again.`);
  }
  const done = new Set(parsed.taskLines.filter((line) => line.ticked).map(({ id }) => id));
  const standing = { plan: parsed, files, done };
  const text = done.size === 0 ? "Nothing is done yet.\n" : `${[...done].map((id) => `- ${id}`).join("\n")}\n`;
  return ok({ base: commit, standing, briefing: { plan: documentsOf(standing), done: text, evidence: "" } });
}

/** Reads the plan again where a run executes it: the run may have landed tasks since the planning session started. */
export async function standingNow(
  project: Project,
  { base, plan, revises }: PlanningState,
  standing: StandingPlan | null,
): Promise<{ readonly base: string; readonly standing: Standing | null }> {
  const run = revises?.run ?? null;
  const now = run === null ? undefined : await readStandingPlan(project, { plan, run });
  return now?.ok === true ? now.value : { base, standing: standing?.standing ?? null };
}

/** Reads the plan that is in effect in a run: it may be a revision, and the journal knows what is done. */
async function standingInRun(project: Project, run: string, base: string | undefined): Promise<Result<StandingPlan>> {
  const read = readRun(project.paths, run);
  if (!read.ok) return read;
  const { state, entries } = read.value;
  if (state === undefined) return fail("no-run", `run ${run} has not started`);
  const inForce = planInForce(state, await plansOfRun(project, state));
  if (!inForce.ok) return inForce;
  const standing = standingOf(state, inForce.value);
  const asking = [...state.tasks.values()].flatMap(({ spec, blocked }) =>
    blocked === null ? [] : [{ task: spec.id, why: blocked.why }],
  );
  const briefing = await revisionBriefing(project, { state, entries }, { standing, asking });
  return ok({ base: base ?? state.tip, standing, briefing });
}
