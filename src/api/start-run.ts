import { exitCode, exitCodes } from "../engine/exit-code.ts";
import { summarise, type RunSummary } from "../engine/summary.ts";
import { approvedPlan } from "../approval/approved-plan.ts";
import { readingFlags } from "../approval/committed-plan.ts";
import { driveOpened, withCure, type OpenedRun } from "../run/opened-run.ts";
import { approvedOrResumed, startOrResume, type Opening } from "../run/start-or-resume.ts";
import { runPaths } from "../project/paths.ts";
import { openProject, findPlan, type Project } from "../project/project.ts";
import type { RunEntry } from "../hooks/run-entry.ts";
import type { StartedRun } from "../project/runs.ts";
import { fail, messageOf, ok } from "../base/result.ts";
import { eachEntry } from "../project/follow-run.ts";
import { refused, type Answer } from "../project/refusals.ts";

/** Which plan to run, and how. */
export interface StartOptions {
  /** A folder of the repository. */
  readonly cwd: string;
  /** Which plan, where there are several. */
  readonly plan?: string;
  /** Ends the run in order when it aborts, as Ctrl-C would; everything is resumable. */
  readonly signal?: AbortSignal;
  /** Lanes: sessions and verifications at a time. */
  readonly parallel?: number;
  /** Once this much is spent, sessions end and none starts. */
  readonly budgetUsd?: number;
  /** False: end with 75 at a usage limit instead of waiting for its reset. */
  readonly wait?: boolean;
}

/** A run that this process drives. */
export interface RunHandle {
  readonly run: string;
  /** Every event since the start, as it comes, read from the journal; ends with the run's driver. */
  readonly events: AsyncIterable<RunEntry>;
  /** Never rejects: what stopped the driver is in `why`. */
  readonly ended: Promise<RunEnd>;
  /** Ends the run in order, as Ctrl-C would, and waits for that. */
  readonly stop: () => Promise<RunEnd>;
}

/** The state of a run when its driver had nothing more to do. */
export interface RunEnd {
  readonly summary: RunSummary;
  /** The exit code that `stint run` would have. */
  readonly exitCode: number;
  /** A system error and how to fix it; null where nothing went wrong. */
  readonly why: string | null;
}

/** Runs a plan that a person has approved, or resumes its unfinished run, in this process. */
export async function startRun(options: StartOptions): Answer<RunHandle> {
  const { cwd, plan: name, signal = new AbortController().signal } = options;
  const flaw = flawOf(options);
  if (flaw !== undefined) return refused(fail("usage", flaw).failure);
  if (signal.aborted) return refused(fail("aborted", "the signal was aborted before the run began").failure);
  const project = await openProject(cwd, process.env);
  if (!project.ok) return refused(project.failure);
  const plan = await findPlan(project.value.repo, name, cwd);
  if (!plan.ok) return refused(plan.failure);
  const flags = readingFlags(options);
  const approved = () => approvedPlan(project.value, { plan: plan.value, flags });
  const request = {
    plan: plan.value,
    choose: (runs: readonly StartedRun[]) => approvedOrResumed(project.value, { plan: plan.value, approved }, runs),
    flags,
    task: null,
    signal,
  };
  const opening = await startOrResume(project.value, request, unobserved);
  if (!opening.ok) return refused(opening.failure);
  return ok(drivenIn(project.value, opening.value, { signal, wait: options.wait ?? true }));
}

/** Why a number is out of range, which the types cannot say. */
function flawOf({ parallel = 1, budgetUsd = 1 }: StartOptions): string | undefined {
  if (!Number.isInteger(parallel) || parallel < 1) return `parallel is ${parallel}; it must be a whole number from 1`;
  if (!Number.isFinite(budgetUsd) || budgetUsd <= 0) return `budgetUsd is ${budgetUsd}; it must be a number above 0`;
  return undefined;
}

/** Events are read from the journal, where a slow reader neither misses one nor holds up the run. */
const unobserved = { observe: () => undefined };

function drivenIn(
  project: Project,
  opening: Opening,
  { signal, wait }: { readonly signal: AbortSignal; readonly wait: boolean },
): RunHandle {
  if (opening.kind === "task-over") throw new Error("Internal error: expected a run of all tasks");
  const state = opening.kind === "opened" ? opening.opened.run.state : opening.state;
  const stopping = new AbortController();
  const over = new AbortController();
  const both = AbortSignal.any([signal, stopping.signal]);
  const ended =
    opening.kind === "opened"
      ? driveToEnd(opening.opened, { signal: both, wait })
      : Promise.resolve({ summary: summarise(state, false), exitCode: exitCode(state), why: null });
  void ended.then(() => over.abort());
  const paths = runPaths(project.paths, state.run);
  return {
    run: state.run,
    events: eachEntry({ paths, after: opening.after, watching: { isLast: () => false, signal: over.signal } }),
    ended,
    stop: () => {
      stopping.abort();
      return ended;
    },
  };
}

async function driveToEnd(
  opened: OpenedRun,
  options: { readonly signal: AbortSignal; readonly wait: boolean },
): Promise<RunEnd> {
  try {
    const state = await driveOpened(opened, options);
    return { summary: summarise(state, false), exitCode: exitCode(state), why: null };
  } catch (error) {
    const { state } = opened.run;
    const code = options.signal.aborted ? exitCodes.interrupted : exitCodes.internal;
    return { summary: summarise(state, false), exitCode: code, why: withCure(messageOf(error), state) };
  }
}
