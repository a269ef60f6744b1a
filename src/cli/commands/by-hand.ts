import { runName } from "../../engine/run-name.ts";
import { exitCode, exitCodes } from "../../engine/exit-code.ts";
import { taskOf, type RunState, type TaskState } from "../../engine/state.ts";
import { driveOpened } from "../../run/opened-run.ts";
import { resumeRun } from "../../run/resume-run.ts";
import { lockToDrive } from "../../project/driver-lock.ts";
import { followRun } from "../../project/follow-run.ts";
import { runPaths, sessionPaths } from "../../project/paths.ts";
import type { Project } from "../../project/project.ts";
import type { RunEntry } from "../../hooks/run-entry.ts";
import { readRun } from "../../project/runs.ts";
import { ok } from "../../base/result.ts";
import { refuse, warn, type Io } from "../io.ts";
import { nextSteps } from "../../report/next-steps.ts";
import { refused } from "../../project/refusals.ts";
import { refusal, type Selected } from "./select.ts";

/** A task of a run that a person does by hand. */
export interface InHand {
  readonly run: string;
  readonly plan: string;
  readonly task: string;
  /** `tell` gets what happens to the task after this entry of the journal. */
  readonly since: number;
  readonly tell: (entry: RunEntry) => void;
}

/**
 * Brings a task to the point where it waits for its person or is done, and returns the run then. The process that
 * drives the run does this; if there is none, this process does, without starting agents.
 */
export async function settleByHand(io: Io, project: Project, hand: InHand): Promise<Selected<RunState>> {
  const { run, plan, task } = hand;
  const isEnough = (state: RunState) => isSettled(state, task);
  let after = hand.since;
  for (;;) {
    const driven = await driveAlone(io, project, hand);
    if (!driven.ok) return driven;
    if (driven.value !== undefined) return ok(driven.value);
    const observe = (entry: RunEntry) => {
      after = entry.seq;
      tellOf(hand, entry);
    };
    const followed = await followRun(project, { run, plan }, { after, observe, isEnough, signal: io.signal });
    if (!followed.ok) return refusal(exitCodes.internal, followed.failure.message);
    const state = followed.value;
    if (state !== undefined && (isEnough(state) || io.signal.aborted)) return ok(state);
  }
}

/** Does everything that is due except agents' work; returns undefined if another process runs the plan. */
export async function driveAlone(io: Io, project: Project, hand: InHand): Promise<Selected<RunState | undefined>> {
  const lock = await lockToDrive(project.paths, hand.plan);
  if (!lock.ok) {
    return lock.failure.reason === "held" ? ok(undefined) : refusal(exitCodes.internal, lock.failure.message);
  }
  try {
    const observe = (entry: RunEntry) => tellOf(hand, entry);
    const warnOf = (message: string) => warn(io, message);
    const opened = await resumeRun(project, { run: hand.run, flags: {}, only: [] }, { observe, warn: warnOf });
    if (!opened.ok) return refused(opened.failure);
    return ok(await driveOpened(opened.value, { signal: io.signal, wait: false }));
  } finally {
    lock.value.release();
  }
}

/** Returns the number of the newest entry in a run's journal. */
export function lastSeq({ paths }: Project, run: string): number {
  const read = readRun(paths, run);
  return read.ok ? (read.value.entries.at(-1)?.seq ?? 0) : 0;
}

/** Returns the folder in which a person works on a task. */
export function workspaceOf({ paths }: Project, { run }: Pick<RunState, "run">, task: { id: string; attempt: number }) {
  return sessionPaths(runPaths(paths, run), { task: task.id, attempt: task.attempt }).tree;
}

/** Says why a task that a person has, or had, is neither in their workspace nor integrated. */
export function concludeWithoutWorkspace(io: Io, state: RunState, task: TaskState): number {
  const { phase, blocked, regressions } = task;
  const { id } = task.spec;
  if (io.signal.aborted || state.stopped !== null) return exitCodes.interrupted;
  if (phase === "satisfied") {
    const why = "its checks pass before any work, so there is nothing to do and nothing to prove";
    return refuse(io, exitCodes.person, `task ${id} is already done: ${why}.`);
  }
  if (phase === "blocked") {
    const code = blocked?.kind === "broken-check" ? exitCodes.red : exitCodes.person;
    return refuse(io, code, `task ${id} is blocked: ${blocked?.why ?? ""}\n\`stint log ${id}\` shows the evidence.`);
  }
  if (regressions.length > 0 && !state.paused) {
    const reds = regressions.map(({ label, why }) => `${label} (${why})`).join("; ");
    const cure = `Fix it with \`stint take ${id}\` or \`stint resume ${runName(state)}\`.`;
    return refuse(
      io,
      exitCodes.red,
      `task ${id} is integrated, but these checks of the plan fail with it: ${reds}. ${cure}`,
    );
  }
  const [why, code, [cure = ""]] =
    state.parked === null || state.paused
      ? ["is paused", exitCodes.person, [`Resume it with \`stint resume ${runName(state)}\`.`]]
      : [`is waiting: ${state.parked.why}`, exitCode(state), nextSteps(state)];
  return refuse(io, code, `task ${id} is yours, but run ${runName(state)} ${why}. ${cure}`);
}

/** A paused run does nothing more about the task by itself; a stopped one is about to lose its process. */
function isSettled(state: RunState, id: string): boolean {
  const { phase } = taskOf(state, id);
  const isDue = state.active.has(id) || phase === "pending";
  return !isDue || state.paused;
}

function tellOf({ task, tell }: InHand, entry: RunEntry) {
  if ("task" in entry && entry.task === task) tell(entry);
}
