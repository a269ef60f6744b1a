import { hasLanded, type RunState } from "../../engine/state.ts";
import { summarise } from "../../engine/summary.ts";
import { head } from "../../git/user-repo.ts";
import type { RevisionBriefing } from "../../prompts/planner.ts";
import { fail, ok, type Result } from "../../result.ts";
import { readCommittedPlan } from "../committed-plan.ts";
import type { Project } from "../project.ts";
import { readRun } from "../runs.ts";
import type { Standing } from "./contract.ts";

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
  const read = run === null ? undefined : readRun(project.layout, run);
  if (read?.ok === false) return read;
  const state = read?.value.state;
  const commit = base ?? state?.tip ?? (await head(project.repo)).sha;
  const reading = await readCommittedPlan(project, { commit, plan });
  if (reading.plan === undefined)
    return fail("no-plan", `plans/${plan} cannot be read in ${commit.slice(0, 12)}. Commit it, then try again.`);
  const ticked = reading.plan.taskLines.filter((line) => line.ticked).map(({ id }) => id);
  const landed = state === undefined ? [] : landedIn(state);
  const done = new Set([...ticked, ...landed]);
  const standing = { plan: reading.plan, files: reading.files, done };
  return ok({ base: commit, standing, briefing: briefingOf(standing, state) });
}

/** Also those that land just now. */
function landedIn({ tasks }: RunState): string[] {
  return [...tasks.values()].flatMap((task) => (hasLanded(task) || task.phase === "integrating" ? [task.spec.id] : []));
}

function briefingOf({ plan, files, done }: Standing, state: RunState | undefined): RevisionBriefing {
  const documents = [...files].flatMap(([path, file]) =>
    path.startsWith(`${plan.dir}/`) && "bytes" in file ? [[path.slice(plan.dir.length + 1), file.bytes] as const] : [],
  );
  const tasks = state === undefined ? [] : summarise(state, false).tasks.filter(({ id }) => !done.has(id));
  const tried = tasks.filter(({ attempts, reason }) => attempts > 0 || reason !== null);
  return {
    plan: new Map(documents.filter(([name]) => !name.startsWith("inputs/"))),
    done: done.size === 0 ? "Nothing is done yet.\n" : `${[...done].map((id) => `- ${id}`).join("\n")}\n`,
    evidence: tried
      .map(({ id, attempts, reason }) => `- ${id}: ${attempts} attempts; ${reason ?? "not over"}\n`)
      .join(""),
  };
}
