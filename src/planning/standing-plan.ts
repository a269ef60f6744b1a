import { head } from "../git/user-repo.ts";
import type { Standing } from "./machine/revise.ts";
import type { RevisionBriefing } from "./machine/revise.ts";
import { fail, ok, type Result } from "../base/result.ts";
import { readCommittedPlan } from "../approval/committed-plan.ts";
import { plansOfRun } from "../approval/approved-settings.ts";
import { planInForce } from "../approval/plan-in-force.ts";
import type { Project } from "../project/project.ts";
import { documentsOf, revisionBriefing, standingOf } from "../run/revision/revision-standing.ts";
import { readRun } from "../project/runs.ts";

/** A plan that is to be revised, as it stands. */
export interface StandingPlan {
  /** The tip of its unfinished run, else HEAD. */
  readonly base: string;
  readonly standing: Standing;
  readonly briefing: RevisionBriefing;
}

/** Reads the plan that is revised with all that is known about it; `base` fixes the commit where it was chosen before. */
export async function readStanding(
  project: Project,
  { plan, run, base }: { readonly plan: string; readonly run: string | null; readonly base?: string },
): Promise<Result<StandingPlan>> {
  if (run !== null) return await standingInRun(project, run, base);
  const commit = base ?? (await head(project.repo)).sha;
  const { plan: parsed, files } = await readCommittedPlan(project, { commit, plan });
  if (parsed === undefined)
    return fail("no-plan", `plans/${plan} cannot be read in ${commit.slice(0, 12)}. Commit it, then try again.`);
  const done = new Set(parsed.taskLines.filter((line) => line.ticked).map(({ id }) => id));
  const standing = { plan: parsed, files, done };
  const told = done.size === 0 ? "Nothing is done yet.\n" : `${[...done].map((id) => `- ${id}`).join("\n")}\n`;
  return ok({ base: commit, standing, briefing: { plan: documentsOf(standing), done: told, evidence: "" } });
}

/** As it holds in a run: it may have been revised before, and what is done is in the journal. */
async function standingInRun(project: Project, run: string, base: string | undefined): Promise<Result<StandingPlan>> {
  const read = readRun(project.paths, run);
  if (!read.ok) return read;
  const { state, entries } = read.value;
  if (state === undefined) return fail("no-run", `run ${run} has not begun`);
  const inForce = planInForce(state, await plansOfRun(project, state));
  if (!inForce.ok) return inForce;
  const standing = standingOf(state, inForce.value);
  const asking = [...state.tasks.values()].flatMap(({ spec, blocked }) =>
    blocked === null ? [] : [{ task: spec.id, why: blocked.why }],
  );
  const briefing = await revisionBriefing(project, { state, entries }, { standing, asking });
  return ok({ base: base ?? state.tip, standing, briefing });
}
