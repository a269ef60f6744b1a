import { exitCode, exitCodes } from "../../engine/exit-code.ts";
import { isUnpushed } from "../../engine/push.ts";
import { summarise } from "../../engine/summary.ts";
import type { ReadingFlags } from "../../host/committed-plan.ts";
import { driverOf, lockToDrive } from "../../host/driver-lock.ts";
import { drive } from "../../host/drive.ts";
import { continueRun, type Observer, type OpenedRun } from "../../host/open-run.ts";
import type { Layout } from "../../host/layout.ts";
import type { Project } from "../../host/project.ts";
import type { Listener } from "../../host/real-sessions.ts";
import type { ReadRun } from "../../host/runs.ts";
import { limits } from "../../limits.ts";
import { visible } from "../../plan/visible.ts";
import { messageOf, refuse, type Io } from "../io.ts";
import { nextSteps } from "../next-steps.ts";
import { renderCaps } from "../render-cost.ts";
import { renderAgentEvent, renderEvent } from "../render-event.ts";
import { showRun } from "../view/show-run.ts";
import { refusal, type Selected } from "./select.ts";
import { renderStatus, whyBranchDiffers } from "./status.ts";

export interface DriveFlags {
  readonly budgetUsd?: number;
  readonly parallel?: number;
  readonly wait: boolean;
  readonly json?: true;
}

/** One driver per plan: whoever comes second is told who is first. */
export async function underLock(
  io: Io,
  { layout }: Project,
  plan: string,
  work: () => Promise<number>,
): Promise<number> {
  const lock = await lockToDrive(layout, plan);
  if (!lock.ok) return refuse(io, exitCodes.internal, whoDrives(layout, plan) ?? lock.failure.message);
  try {
    return await work();
  } finally {
    lock.value.release();
  }
}

function whoDrives(layout: Layout, plan: string): string | undefined {
  const driver = driverOf(layout, plan);
  if (driver === null) return undefined;
  return `process ${driver} drives plan ${plan} already. \`stint status\` shows how it stands; \`stint pause\` and \`stint stop\` reach it from here.`;
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
  const unpublished = state.publication?.commit !== state.tip || state.publication.deferred !== null;
  if (state.finished !== null && (state.tip === state.base || !(unpublished || isUnpushed(state)))) {
    io.err(`Run ${state.run} of this plan is finished (${state.finished}): nothing to do.`);
    const missing = await whyBranchDiffers(project.repo, state);
    if (missing !== undefined) io.err(missing);
    return exitCode(state);
  }
  const opened = await openToDrive(project, state.run, { flags: flagsOf(options), only, ...following(io, options) });
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
  if (opened.ok) return opened;
  const { reason, message } = opened.failure;
  return refusal(openingCodes[reason] ?? exitCodes.internal, message);
}

const openingCodes: Readonly<Record<string, number>> = {
  settings: exitCodes.usage,
  unapproved: exitCodes.person,
  "no-mount": exitCodes.usage,
};

/** Drives an opened run until nothing more can be done, and says how it stands. */
export async function driveToEnd(io: Io, opened: OpenedRun, options: DriveFlags): Promise<number> {
  const { run, confinement, close } = opened;
  const { parallel } = run.state.settings;
  io.err(visible(`${parallel === 1 ? "One lane" : `${parallel} lanes`}. ${confinement}`));
  const caps = renderCaps(summarise(run.state, true).budget);
  if (caps !== "") io.err(`Budget ${caps}.`);
  const shown = showRun(io, opened, options);
  try {
    const tell = (failure: unknown) => {
      refuse(shown.io, exitCodes.internal, messageOf(failure));
      shown.io.err("That is left alone for now; everything else goes on.");
    };
    const state = await drive(run, { signal: io.signal, wait: options.wait, tell }).finally(shown.close);
    const summary = summarise(state, false);
    if (options.json !== true) for (const line of ["", ...renderStatus(summary)]) io.out(visible(line));
    for (const hint of nextSteps(state)) io.err(visible(hint));
    return exitCode(state);
  } catch (error) {
    if (io.signal.aborted) throw error;
    return refuse(io, exitCodes.internal, withCure(messageOf(error), run.state.run));
  } finally {
    await run.ports.settle();
    close();
  }
}

/** What ends a run in the middle comes from the machine, and the machine's words seldom say how to go on. */
function withCure(message: string, run: string): string {
  if (message.includes("stint resume")) return message;
  return `${message.trimEnd()}\nNothing that was journaled is lost. Cure that, then run \`stint resume ${run}\`.`;
}

/** What of the command line stands above the settings. */
export function flagsOf({ budgetUsd, parallel }: DriveFlags): ReadingFlags {
  return { ...(budgetUsd !== undefined && { budgetUsd }), ...(parallel !== undefined && { parallel }) };
}

/** Journal lines alone for programs; for people also what agents say of waiting and trying again. */
export function following(io: Io, options: DriveFlags): { readonly observe: Observer; readonly hear?: Listener } {
  if (options.json === true) return { observe: (entry) => io.out(JSON.stringify(entry)) };
  let heard = 0;
  return {
    observe: (entry) => io.out(renderEvent(entry)),
    hear: (key, event) => {
      const line = renderAgentEvent(key, event);
      if (line === undefined || heard >= limits.agentNoticesShownMax) return;
      heard += 1;
      io.err(heard === limits.agentNoticesShownMax ? `${line} (further notices of agents are not shown)` : line);
    },
  };
}
