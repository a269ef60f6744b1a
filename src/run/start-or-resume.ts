import { runName } from "../engine/run-name.ts";
import { isUnpublished, isUnpushed } from "../engine/push.ts";
import { isPlanOf } from "../engine/revise.ts";
import { isOver, type RunState, type TaskState } from "../engine/state.ts";
import { head } from "../git/user-repo.ts";
import { fail, ok, type Failure, type Result } from "../base/result.ts";
import { uncommittedPlanFiles, type Approved } from "../approval/approved-plan.ts";
import { runWithOtherSettings } from "../approval/plan-of-run.ts";
import { readCommittedPlan, type Ready, type ReadingFlags } from "../approval/committed-plan.ts";
import { preconditions } from "../approval/preconditions.ts";
import type { CommandWatch } from "../checks/running-command.ts";
import { withAncestors, type Node } from "../plan/graph.ts";
import { unknownNameMessage } from "../plan/nearest.ts";
import { driverOf, lockOrName } from "../project/driver-lock.ts";
import type { Paths } from "../project/paths.ts";
import type { Project } from "../project/project.ts";
import { findRuns, haveHooksMissed, readRun, runForPlan, type StartedRun } from "../project/runs.ts";
import { endEarlierSessions, startRun } from "./start-run.ts";
import type { OpenedRun, RunListener } from "./opened-run.ts";
import { resumeRun } from "./resume-run.ts";

/**
 * The one way to start or resume a run, for the command line, the library and every other front end:
 * lock the plan, find its runs, choose (resume this one, or start what was approved), refuse or open.
 * Closing the opened run releases the plan's lock.
 */
export async function startOrResume<F extends Failure>(
  project: Project,
  request: RunRequest<F>,
  listener: StartListener,
): Promise<Result<Opening, Failure | F>> {
  const { plan } = request;
  const paused = whyPausedElsewhere(project.paths, plan);
  if (paused !== undefined) return fail("paused", paused);
  return await underLock(project.paths, plan, async () => {
    const known = readableRuns(project.paths, plan, listener);
    if (!known.ok) return known;
    const choice = await request.choose(known.value);
    if (!choice.ok) return choice;
    return "resume" in choice.value
      ? await resumeChosen(project, { ...request, found: choice.value.resume }, listener)
      : await startApproved(project, { ...request, ...choice.value, earlier: known.value }, listener);
  });
}

/** Resumes one run by its id, whatever else the plan has. Closing the opened run releases the plan's lock. */
export async function resumeById(
  project: Project,
  request: Omit<RunRequest<never>, "choose"> & { readonly run: string },
  listener: StartListener,
): Promise<Result<Opening>> {
  return await underLock(project.paths, request.plan, async () => {
    const read = readRun(project.paths, request.run);
    if (!read.ok) return read;
    const { state } = read.value;
    if (state === undefined)
      throw new Error(`Internal error: expected a started run, but ${request.run} has no events`);
    return await resumeChosen(project, { ...request, found: { ...read.value, state } }, listener);
  });
}

/** What a front end asks for. */
export interface RunRequest<F extends Failure> {
  readonly plan: string;
  /** Decides between a run to resume and an approved plan to start; `approvedOrResumed` is what `stint run` does. */
  readonly choose: (runs: readonly StartedRun[]) => Promise<Result<Choice, F>>;
  readonly flags: ReadingFlags;
  /** Work on this task and what it builds on; null means all tasks, absent means what was asked for before. */
  readonly task?: string | null;
  /** Start a run for a person's own work: no agent is needed or started. */
  readonly byHand?: boolean;
  readonly signal: AbortSignal;
}

/** What becomes of a plan: one of its runs is resumed, or a new one starts from what was approved. */
export type Choice = { readonly resume: StartedRun } | { readonly start: Approved };

/** A front end hears what happens on the way into a run, and then in it. */
export interface StartListener extends RunListener {
  /** Called when everything a new run needs is there, just before its first event. */
  readonly starting?: (ready: Ready) => Promise<void>;
  /** Is called with each command that runs before that: prerequisites, and the set-up of their room. */
  readonly watch?: CommandWatch;
}

/** What a front end gets: a run to drive, or the reason why there is nothing to do. */
export type Opening =
  | { readonly kind: "opened"; readonly opened: OpenedRun; /** The last event before. */ readonly after: number }
  | { readonly kind: "nothing-left"; readonly state: RunState; readonly after: number }
  | { readonly kind: "task-over"; readonly task: TaskState };

/** The choice that `stint run` and the library make: a finished run of the plan as it is now, then what was approved. */
export async function approvedOrResumed<F extends Failure>(
  project: Project,
  { plan, approved }: { readonly plan: string; readonly approved: () => Promise<Result<Approved, F>> },
  runs: readonly StartedRun[],
): Promise<Result<Choice, F>> {
  const finished = await finishedRun(project, plan, runs);
  if (finished !== undefined) return ok({ resume: finished });
  const start = await approved();
  if (!start.ok) return start;
  const { ready, base } = start.value;
  const found =
    runForPlan(runs, ready.hash, base) ?? (await runWithOtherSettings(project, runs, { ready, head: base }));
  return ok(found === undefined ? { start: start.value } : { resume: found });
}

/** Looked at before lint: once its branch is merged, a finished plan names files that exist already. */
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

/** The task and everything it builds on, or why there is no such task. */
export function tasksFor(tasks: readonly Node[], task: string): Result<readonly string[], Failure<"usage">> {
  const ids = tasks.map(({ id }) => id);
  return ids.includes(task) ? ok(withAncestors(tasks, task)) : fail("usage", unknownNameMessage("task", task, ids));
}

async function startApproved<F extends Failure>(
  project: Project,
  request: RunRequest<F> & { readonly start: Approved; readonly earlier: readonly StartedRun[] },
  listener: StartListener,
): Promise<Result<Opening>> {
  const { start, earlier, flags, signal, task, byHand = false } = request;
  const chosen = typeof task === "string" ? tasksFor(start.ready.plan.tasks, task) : ok(byHand ? [] : null);
  if (!chosen.ok) return chosen;
  const found = await preconditions(project, { ...start, isForAgents: !byHand, signal, watch: listener.watch });
  if (!found.ok) return found;
  await endEarlierSessions(project, earlier);
  if (!byHand) await listener.starting?.(start.ready);
  const started = await startRun(project, { ...start, sandbox: found.value, flags, only: chosen.value }, listener);
  return started.ok ? ok({ kind: "opened", opened: started.value, after: 0 }) : started;
}

async function resumeChosen(
  project: Project,
  request: Omit<RunRequest<never>, "choose"> & { readonly found: StartedRun },
  listener: StartListener,
): Promise<Result<Opening>> {
  const { found, task, flags } = request;
  const { state } = found;
  const after = found.entries.at(-1)?.seq ?? 0;
  const specs = [...state.tasks.values()].map(({ spec }) => spec);
  const chosen = typeof task === "string" ? tasksFor(specs, task) : ok(task);
  if (!chosen.ok) return chosen;
  const asked = typeof task === "string" ? state.tasks.get(task) : undefined;
  if (asked !== undefined && isOver(asked.phase) && state.finished === null)
    return ok({ kind: "task-over", task: asked });
  if (isNothingLeft(project.paths, found)) return ok({ kind: "nothing-left", state, after });
  const opened = await resumeRun(project, { run: state.run, flags, only: chosen.value }, listener);
  return opened.ok ? ok({ kind: "opened", opened: opened.value, after }) : opened;
}

/** The driver of a paused run would not make room for another one: it waits to be resumed itself. */
function whyPausedElsewhere(paths: Paths, plan: string): string | undefined {
  const driver = driverOf(paths, plan);
  const paused = driver === null ? undefined : findRuns(paths, plan).runs.findLast(({ state }) => state.paused);
  if (paused === undefined) return undefined;
  const name = runName(paused.state);
  return `run ${name} is paused in process ${driver}. Resume it there with \`stint resume ${name}\`.`;
}

/** The runs of a plan that can be read. A journal that the disk does not return might be the run that is meant. */
function readableRuns(
  paths: Paths,
  plan: string,
  { warn }: RunListener,
): Result<readonly StartedRun[], Failure<"unread">> {
  const { runs, damaged, unread } = findRuns(paths, plan);
  if (unread !== undefined) return fail("unread", `${unread} Fix that, then try again.`);
  for (const why of damaged) warn?.(why);
  return ok(runs);
}

/** A run is finished, your branch and the remote have all of it, and its hooks have heard everything. */
function isNothingLeft(paths: Paths, run: StartedRun): boolean {
  const { state } = run;
  return state.finished !== null && !isUnpublished(state) && !isUnpushed(state) && !haveHooksMissed(paths, run);
}

/** One driver per plan: the lock is kept as long as the run is open, and released at once where none was opened. */
async function underLock<F extends Failure>(
  paths: Paths,
  plan: string,
  open: () => Promise<Result<Opening, F>>,
): Promise<Result<Opening, F | Failure>> {
  const lock = await lockOrName(paths, plan);
  if (!lock.ok) return lock;
  let opening: Result<Opening, F> | undefined;
  try {
    opening = await open();
  } finally {
    if (opening?.ok !== true || opening.value.kind !== "opened") lock.value.release();
  }
  if (!opening.ok || opening.value.kind !== "opened") return opening;
  const { opened } = opening.value;
  const close: OpenedRun["close"] = (signal) => opened.close(signal).finally(() => lock.value.release());
  return ok({ ...opening.value, opened: { ...opened, close } });
}
