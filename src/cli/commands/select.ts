import type { Config } from "../../config/load.ts";
import { exitCodes } from "../../engine/exit-code.ts";
import { runName } from "../../engine/run-name.ts";
import type { RunState } from "../../engine/state.ts";
import { driverOf } from "../../project/driver-lock.ts";
import type { Paths } from "../../project/paths.ts";
import { openProject, findPlan, findProjectSandbox, type Project } from "../../project/project.ts";
import { refused, type Refusal } from "../../project/refusals.ts";
import {
  listed,
  runCalled,
  openRunToRead as readableRun,
  openRunToShow as showableRun,
  unreadable,
  type NoRunToRead,
  type RunToRead,
  type RunToShow,
} from "../../project/run-to-read.ts";
import { findRuns, unfinishedRuns } from "../../project/runs.ts";
import { ok, type Result } from "../../base/result.ts";
import type { FoundSandbox } from "../../sandbox/find.ts";
import { warn, type Io } from "../io.ts";

/** A value, or why a command refuses. */
export type Selected<T> = Result<T, Refusal>;

/** Refuses with an exit code of the command's own. */
export function refusal(exitCode: number, message: string): Extract<Selected<never>, { ok: false }> {
  return { ok: false, failure: { reason: "refused", exitCode, message } };
}

/** Opens the repository around the current folder. */
export async function project(io: Io): Promise<Selected<Project>> {
  const opened = await openProject(io.cwd, io.env);
  return opened.ok ? opened : refused(opened.failure);
}

/** Opens the repository around the current folder and finds the plan that is meant. */
export async function projectAndPlan(
  io: Io,
  name: string | undefined,
): Promise<Selected<{ readonly project: Project; readonly plan: string }>> {
  const opened = await project(io);
  if (!opened.ok) return opened;
  const plan = await findPlan(opened.value.repo, name, io.cwd);
  return plan.ok ? ok({ project: opened.value, plan: plan.value }) : refused(plan.failure);
}

/** Finds how agents and checks of the project are confined, or says why they cannot be as the settings want it. */
export async function projectSandbox(project: Project, config: Config): Promise<Selected<FoundSandbox>> {
  const found = await findProjectSandbox(project, config);
  return found.ok ? found : refused(found.failure);
}

/** Reads the named run, or the newest (that has the task, if any has), without taking part in it. */
export async function openRunToRead(io: Io, name: string | undefined, task?: string): Promise<Selected<RunToRead>> {
  return warned(io, await readableRun(io, name, task));
}

/** Opens the named run, or the newest, to show where it stands. */
export async function openRunToShow(io: Io, name: string | undefined): Promise<Selected<RunToShow>> {
  return warned(io, await showableRun(io, name));
}

function warned<Run extends { readonly damaged: readonly string[] }>(
  io: Io,
  opened: Result<Run, NoRunToRead>,
): Selected<Run> {
  for (const why of (opened.ok ? opened.value : opened.failure).damaged) warn(io, why);
  return opened.ok ? opened : refused(opened.failure);
}

/** A run that a command is for, and its repository. */
export interface RunToCommand {
  readonly project: Project;
  readonly state: RunState;
}

/** What a command is about, which tells its run from others. */
export interface Subject {
  readonly words: string;
  readonly isIn: (state: RunState) => boolean;
}

export function subjectTask(task: string): Subject {
  return { words: `task ${task}`, isIn: ({ tasks }) => tasks.has(task) };
}

/**
 * Finds the run that a command is for: the named one, or that of the only plan whose newest run is not finished; among
 * several, the only one that has what the command is about, or the only one that a process drives if it is for `driven`.
 */
export async function openRunToCommand(
  io: Io,
  name: string | undefined,
  subject?: Subject | "driven",
): Promise<Selected<RunToCommand>> {
  const opened = await project(io);
  if (!opened.ok) return opened;
  const { paths } = opened.value;
  const { runs, damaged } = findRuns(paths);
  for (const why of damaged) warn(io, why);
  if (name !== undefined) {
    const id = runCalled(paths, name, { root: opened.value.repo.root, cwd: io.cwd });
    if (!id.ok) return refused(id.failure);
    const named = runs.find((run) => run.id === id.value);
    if (named !== undefined) return ok({ project: opened.value, state: named.state });
    if (damaged.length > 0) return refusal(exitCodes.internal, unreadable);
    return refusal(exitCodes.usage, `run ${id.value} has not begun. Start one with \`stint run\`.`);
  }
  const unfinished = unfinishedRuns(runs);
  if (unfinished.length === 0 && damaged.length > 0) return refusal(exitCodes.internal, unreadable);
  if (unfinished.length === 0) return refusal(exitCodes.usage, whyNoneUnfinished(runs.at(-1)?.state));
  const state = subject === "driven" ? drivenRun(paths, unfinished) : onlyRun(unfinished, subject);
  return state.ok ? ok({ project: opened.value, state: state.value }) : state;
}

function drivenRun(paths: Paths, unfinished: readonly RunState[]): Selected<RunState> {
  const driven = unfinished.filter(({ plan }) => driverOf(paths, plan) !== null);
  return onlyRun(driven.length === 1 ? driven : unfinished, undefined);
}

/** A run that is alone is meant even if it lacks the subject: it says so in its own words. */
function onlyRun(unfinished: readonly RunState[], subject: Subject | undefined): Selected<RunState> {
  const isAlone = subject === undefined || unfinished.length === 1;
  const fitting = isAlone ? unfinished : unfinished.filter(subject.isIn);
  const [only, ...others] = fitting;
  if (only === undefined)
    return refusal(exitCodes.usage, `no unfinished run has ${subject?.words}. There are: ${listed(unfinished)}`);
  if (others.length === 0) return ok(only);
  return refusal(exitCodes.usage, `which run? Name one with --run: ${listed(fitting)}`);
}

function whyNoneUnfinished(newest: RunState | undefined): string {
  if (newest === undefined) return "there is no unfinished run. Start one with `stint run`.";
  const what = `there is no unfinished run; the newest, ${runName(newest)}, is finished (${newest.finished})`;
  return `${what}. To do more, change its plan, \`stint approve\` and \`stint run\`.`;
}
