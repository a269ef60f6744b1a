import { exitCode, exitCodes } from "../engine/exit-code.ts";
import { summarise, type RunSummary } from "../engine/summary.ts";
import type { RunState } from "../engine/state.ts";
import { approvedPlan } from "../approval/approved-plan.ts";
import { finishedRun, isNothingLeft, runFor, runsOf, whyPausedElsewhere } from "../run/choose-run.ts";
import { readingFlags, type ReadingFlags } from "../approval/committed-plan.ts";
import { driveOpened, withCure } from "../run/drive-opened.ts";
import { lockOrName } from "../project/driver-lock.ts";
import { runPaths } from "../project/paths.ts";
import { continueRun, startRun as startNewRun, type OpenedRun } from "../run/open-run.ts";
import { endSessionsOf } from "../run/other-runs.ts";
import { preconditions } from "../approval/preconditions.ts";
import { openProject, type Project } from "../project/project.ts";
import type { RunEntry } from "../hooks/run-entry.ts";
import type { StartedRun } from "../project/runs.ts";
import { selectPlan } from "../project/select-plan.ts";
import { fail, messageOf, ok, type Result } from "../base/result.ts";
import { eachEntry } from "./each-entry.ts";
import { refused, type Answer, type Refusal } from "./refusal.ts";

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

/** How a run stood when its driver had nothing more to do. */
export interface RunEnd {
  readonly summary: RunSummary;
  /** As of `stint run`. */
  readonly exitCode: number;
  /** What the machine did not allow, with the cure; null where nothing went wrong. */
  readonly why: string | null;
}

/** Executes a plan that a person has approved, or goes on with its unfinished run, in this process. */
export async function startRun(options: StartOptions): Answer<RunHandle> {
  const { cwd, plan: name, signal = new AbortController().signal } = options;
  const flaw = flawOf(options);
  if (flaw !== undefined) return refused(fail("usage", flaw).failure);
  if (signal.aborted) return refused(fail("aborted", "the signal was aborted before the run began").failure);
  const project = await openProject(cwd, process.env);
  if (!project.ok) return refused(project.failure);
  const plan = selectPlan(project.value.repo.root, name);
  if (!plan.ok) return refused(plan.failure);
  const paused = whyPausedElsewhere(project.value.paths, plan.value);
  if (paused !== undefined) return refused(paused);
  const lock = await lockOrName(project.value.paths, plan.value);
  if (!lock.ok) return refused(lock.failure);
  let opened: Result<Opened, Refusal> | undefined;
  try {
    opened = await open(project.value, { plan: plan.value, flags: readingFlags(options), signal });
  } finally {
    if (opened?.ok !== true) lock.value.release();
  }
  if (!opened.ok) return opened;
  const driven = drivenIn(project.value, opened.value, { signal, wait: options.wait ?? true });
  void driven.ended.then(() => lock.value.release());
  return ok(driven);
}

/** What the types do not say of the numbers. */
function flawOf({ parallel = 1, budgetUsd = 1 }: StartOptions): string | undefined {
  if (!Number.isInteger(parallel) || parallel < 1) return `parallel is ${parallel}; it must be a whole number from 1`;
  if (!Number.isFinite(budgetUsd) || budgetUsd <= 0) return `budgetUsd is ${budgetUsd}; it must be a number above 0`;
  return undefined;
}

/** A run that is open for this process, or one that has nothing left to do. */
type Opened = { readonly state: RunState; readonly after: number; readonly opened: OpenedRun | undefined };

interface Opening {
  readonly plan: string;
  readonly flags: ReadingFlags;
  readonly signal: AbortSignal;
}

/** The same decisions as `stint run`; the caller holds the plan's lock. */
async function open(project: Project, opening: Opening): Promise<Result<Opened, Refusal>> {
  const { plan, flags, signal } = opening;
  const known = runsOf(project.paths, plan);
  if (!known.ok) return refused(known.failure);
  const { runs } = known.value;
  const finished = await finishedRun(project, plan, runs);
  if (finished !== undefined) return await goOn(project, finished, flags);
  const approved = await approvedPlan(project, { plan, flags });
  if (!approved.ok) return refused(approved.failure);
  const found = await runFor(project, runs, approved.value);
  if (found !== undefined) return await goOn(project, found, flags);
  const ready = await preconditions(project, { ...approved.value, isForAgents: true, signal });
  if (!ready.ok) return refused(ready.failure);
  await endSessionsOf(project, runs);
  const start = { ...approved.value, sandbox: ready.value, flags, only: null, observe: unobserved };
  const started = await startNewRun(project, approved.value.ready, start);
  if (!started.ok) return refused(started.failure);
  return ok({ state: started.value.run.state, after: 0, opened: started.value });
}

async function goOn(project: Project, found: StartedRun, flags: ReadingFlags): Promise<Result<Opened, Refusal>> {
  const { state, entries } = found;
  const after = entries.at(-1)?.seq ?? 0;
  if (isNothingLeft(project.paths, found)) return ok({ state, after, opened: undefined });
  const opened = await continueRun(project, state.run, { flags, only: null, observe: unobserved });
  return opened.ok ? ok({ state, after, opened: opened.value }) : refused(opened.failure);
}

/** Events are read from the journal, where a slow reader neither misses one nor holds up the run. */
const unobserved = () => undefined;

function drivenIn(
  project: Project,
  { state, after, opened }: Opened,
  { signal, wait }: { readonly signal: AbortSignal; readonly wait: boolean },
): RunHandle {
  const stopping = new AbortController();
  const over = new AbortController();
  const both = AbortSignal.any([signal, stopping.signal]);
  const ended =
    opened === undefined
      ? Promise.resolve({ summary: summarise(state, false), exitCode: exitCode(state), why: null })
      : driveToEnd(opened, { signal: both, wait });
  void ended.then(() => over.abort());
  const paths = runPaths(project.paths, state.run);
  return {
    run: state.run,
    events: eachEntry({ paths, after, watching: { isLast: () => false, signal: over.signal } }),
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
    return { summary: summarise(state, false), exitCode: code, why: withCure(messageOf(error), state.run) };
  }
}
