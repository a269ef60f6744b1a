import { relative } from "node:path";
import { exitCode, exitCodes } from "../../engine/exit-code.ts";
import { summarise } from "../../engine/summary.ts";
import { readingFlags } from "../../approval/committed-plan.ts";
import { isNothingLeft } from "../../run/choose-run.ts";
import { driveOpened, withCure } from "../../run/drive-opened.ts";
import { lockOrName } from "../../project/driver-lock.ts";
import { continueRun, type Observer, type OpenedRun } from "../../run/open-run.ts";
import type { Project } from "../../project/project.ts";
import type { Listener } from "../../agents/real-sessions.ts";
import type { ReadRun } from "../../project/runs.ts";
import { visible } from "../../base/visible.ts";
import { refuse, warn, type Io } from "../io.ts";
import { messageOf } from "../../base/result.ts";
import { nextSteps } from "../../report/next-steps.ts";
import { renderCaps } from "../../report/render-cost.ts";
import { renderEvent } from "../render-event.ts";
import { showRun } from "../live-view/show-run.ts";
import { agentNotices } from "./agent-notices.ts";
import { refused, type Selected } from "./select.ts";
import { renderStatus, whyBranchDiffers } from "./status.ts";

/** Flags of every command that drives a run. */
export interface DriveFlags {
  readonly budgetUsd?: number;
  readonly parallel?: number;
  readonly wait: boolean;
  readonly json?: true;
}

/** One driver per plan: whoever comes second is told who is first. */
export async function underLock(
  io: Io,
  { paths }: Project,
  plan: string,
  work: () => Promise<number>,
): Promise<number> {
  const lock = await lockOrName(paths, plan);
  if (!lock.ok) return refuse(io, exitCodes.internal, lock.failure.message);
  try {
    return await work();
  } finally {
    lock.value.release();
  }
}

/** Goes on with a run that is not finished, or says how the finished one ended. */
export async function takeUp(
  io: Io,
  project: Project,
  {
    found,
    options,
    only,
  }: {
    readonly found: ReadRun;
    readonly options: DriveFlags;
    /** The tasks that agents may work on, null for all; absent: what was asked for before. */
    readonly only?: readonly string[] | null;
  },
): Promise<number> {
  const { state } = found;
  if (state === undefined) throw new Error(`Internal error: expected a started run, but ${found.id} has no events`);
  if (isNothingLeft(project.paths, { ...found, state })) {
    io.err(`Run ${state.run} of this plan is finished (${state.finished}): nothing to do.`);
    const missing = await whyBranchDiffers(project.repo, state);
    if (missing !== undefined) io.err(missing);
    return exitCode(state);
  }
  const opened = await openToDrive(project, state.run, {
    flags: readingFlags(options),
    only,
    ...following(io, options),
  });
  return opened.ok
    ? await driveToEnd(io, opened.value, options)
    : refuse(io, opened.failure.code, opened.failure.message);
}

/** Opens a run to go on with it; the caller holds the plan's lock. */
export async function openToDrive(
  project: Project,
  run: string,
  options: Parameters<typeof continueRun>[2],
): Promise<Selected<OpenedRun>> {
  const opened = await continueRun(project, run, options);
  return opened.ok ? opened : refused(opened.failure);
}

/** Drives an opened run until nothing more can be done, and says how it stands. */
export async function driveToEnd(io: Io, opened: OpenedRun, options: DriveFlags): Promise<number> {
  const { run, confinement } = opened;
  const { parallel } = run.state.settings;
  io.err(visible(`${parallel === 1 ? "One lane" : `${parallel} lanes`}. ${confinement}`));
  const caps = renderCaps(summarise(run.state, true).budget);
  if (caps !== "") io.err(`Budget ${caps}.`);
  const shown = showRun(io, opened, options);
  let report: string | undefined;
  try {
    const tell = (failure: unknown) => {
      refuse(shown.io, exitCodes.internal, messageOf(failure));
      shown.io.err("That is left alone for now; everything else goes on.");
    };
    const reported = (path: string) => (report = path);
    const driven = driveOpened(opened, { signal: io.signal, wait: options.wait, tell, reported });
    const state = await driven.finally(shown.close);
    const summary = summarise(state, false);
    if (options.json !== true) for (const line of ["", ...renderStatus(summary)]) io.out(visible(line));
    for (const hint of nextSteps(state)) io.err(visible(hint));
    return exitCode(state);
  } catch (error) {
    if (io.signal.aborted) throw error;
    return refuse(io, exitCodes.internal, withCure(messageOf(error), run.state.run));
  } finally {
    if (report !== undefined) io.err(visible(`Report: ${shortPath(io.cwd, report)}`));
  }
}

/** As one types it from here, where that is shorter. */
function shortPath(from: string, path: string): string {
  const short = relative(from, path);
  return short.length < path.length ? short : path;
}

interface Following {
  readonly observe: Observer;
  readonly hear?: Listener;
  readonly warn: (message: string) => void;
}

/** Journal lines alone for programs; for people also what agents say of waiting and trying again. */
export function following(io: Io, options: DriveFlags): Following {
  const warnOf = (message: string) => warn(io, message);
  if (options.json === true) return { observe: (entry) => io.out(JSON.stringify(entry)), warn: warnOf };
  return { warn: warnOf, observe: (entry) => io.out(renderEvent(entry)), hear: agentNotices(io.err) };
}
