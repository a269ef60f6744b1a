import { exitCode } from "../engine/exit-code.ts";
import { summarise, type RunSummary } from "../engine/summary.ts";
import { driverOf } from "../project/driver-lock.ts";
import { runPaths } from "../project/paths.ts";
import { openRunToRead, type RunToRead } from "../project/run-to-read.ts";
import type { RunEntry } from "../hooks/run-entry.ts";
import { ok } from "../base/result.ts";
import { refused, type Answer } from "../project/refusals.ts";
import { eachEntry } from "../project/follow-run.ts";

/** Which run to read. */
export interface ReadOptions {
  /** A folder of the repository. */
  readonly cwd: string;
  /** Its id; without one the newest. */
  readonly run?: string;
}

/** A run as its journal has it. */
export interface RunReading {
  readonly run: string;
  readonly summary: RunSummary;
  /** The exit code of its driver; null while it is running. */
  readonly exitCode: number | null;
  readonly entries: readonly RunEntry[];
}

/** Reads a run without taking part in it, whichever process drives it. */
export async function readRun({ cwd, run }: ReadOptions): Answer<RunReading> {
  const opened = await openRunToRead({ cwd, env: process.env }, run);
  if (!opened.ok) return refused(opened.failure);
  const { state, entries } = opened.value;
  const driven = isDriven(opened.value);
  return ok({
    run: state.run,
    summary: summarise(state, driven),
    exitCode: driven ? null : exitCode(state),
    entries,
  });
}

/** A run that can be followed. */
export interface FollowedRun {
  readonly run: string;
  /** Every event from the first on, as it comes; ends when no process drives the run any more, or the signal aborts. */
  readonly events: AsyncIterable<RunEntry>;
}

/** Follows a run that any process drives, from its first event on. */
export async function followRun({
  cwd,
  run,
  signal = new AbortController().signal,
}: ReadOptions & { readonly signal?: AbortSignal }): Answer<FollowedRun> {
  const opened = await openRunToRead({ cwd, env: process.env }, run);
  if (!opened.ok) return refused(opened.failure);
  const { paths, state } = opened.value;
  const isLast = () => !isDriven(opened.value);
  const events = eachEntry({ paths: runPaths(paths, state.run), after: 0, watching: { isLast, signal } });
  return ok({ run: state.run, events });
}

function isDriven({ paths, state }: Pick<RunToRead, "paths" | "state">): boolean {
  return driverOf(paths, state.plan) !== null;
}
