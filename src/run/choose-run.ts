import { isUnpushed } from "../engine/push.ts";
import { isPlanOf } from "../engine/revise.ts";
import { head } from "../git/user-repo.ts";
import { fail, ok, type Failure, type Result } from "../base/result.ts";
import { uncommittedPlanFiles, type Approved } from "../approval/approved-plan.ts";
import { runWithOtherSettings } from "../approval/approved-settings.ts";
import { readCommittedPlan } from "../approval/committed-plan.ts";
import { driverOf } from "../project/driver-lock.ts";
import type { Paths } from "../project/paths.ts";
import type { Project } from "../project/project.ts";
import { findRuns, haveHooksMissed, runToContinue, type StartedRun } from "../project/runs.ts";

/** Why no run of a plan may begin beside one that is paused and has a driver. */
export function whyPausedElsewhere(paths: Paths, plan: string): Failure<"paused"> | undefined {
  const driver = driverOf(paths, plan);
  const paused = driver === null ? undefined : findRuns(paths, plan).runs.findLast(({ state }) => state.paused);
  if (paused === undefined) return undefined;
  const cure = `\`stint resume ${paused.id}\` makes it go on there.`;
  return fail("paused", `run ${paused.id} is paused in process ${driver}. ${cure}`).failure;
}

/** The runs of a plan that can be read; one that the disk does not give out may be the one that is meant. */
export function runsOf(
  paths: Paths,
  plan: string,
): Result<{ readonly runs: readonly StartedRun[]; readonly damaged: readonly string[] }, Failure<"unread">> {
  const { runs, damaged, unread } = findRuns(paths, plan);
  return unread === undefined ? ok({ runs, damaged }) : fail("unread", `${unread} Cure that, then try again.`);
}

/** Asked before lint: once its branch is merged, a finished plan speaks of files that are there already. */
export async function finishedRun(
  project: Project,
  plan: string,
  runs: readonly StartedRun[],
): Promise<StartedRun | undefined> {
  if ((await uncommittedPlanFiles(project, plan)).length > 0) return undefined;
  const commit = (await head(project.repo)).sha;
  const { hash } = await readCommittedPlan(project, { commit, plan });
  const same = runs.filter(({ state }) => isPlanOf(state, hash));
  return same.every(({ state }) => state.finished !== null) ? same.at(-1) : undefined;
}

/** The run that an approved plan goes on with; undefined where a new one has to begin. */
export async function runFor(
  project: Project,
  runs: readonly StartedRun[],
  { ready, base }: Approved,
): Promise<StartedRun | undefined> {
  return runToContinue(runs, ready.hash, base) ?? (await runWithOtherSettings(project, runs, { ready, head: base }));
}

/** Whether a run is finished, the user's branch and the remote have all of it, and its hooks have heard all. */
export function isNothingLeft(paths: Paths, run: StartedRun): boolean {
  const { state } = run;
  const unpublished = state.publication?.commit !== state.tip || state.publication.deferred !== null;
  const isShared = state.tip === state.base || !(unpublished || isUnpushed(state));
  return state.finished !== null && isShared && !haveHooksMissed(paths, run);
}
