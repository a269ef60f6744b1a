import { exitCodes } from "../../engine/exit-code.ts";
import { runName } from "../../engine/run-name.ts";
import { isSharingRefused } from "../../engine/push.ts";
import type { RunState } from "../../engine/state.ts";
import { isStillApproved } from "../../approval/plan-of-run.ts";
import { readingFlags } from "../../approval/committed-plan.ts";
import { resumeById } from "../../run/start-or-resume.ts";
import { driverOf } from "../../project/driver-lock.ts";
import type { Project } from "../../project/project.ts";
import { runCalled } from "../../project/run-to-read.ts";
import { findRuns, runsLeftBehind, runsToResume, runToResume, type StartedRun } from "../../project/runs.ts";
import { money } from "../../engine/budget.ts";
import { refuse, refuseWith, warn, type Io } from "../io.ts";
import { driveOpening, listenerOf, type DriveFlags } from "./drive-run.ts";
import { inARow } from "./in-a-row.ts";
import { project } from "./select.ts";
import { deliver } from "./steer.ts";

export interface ResumeOptions extends DriveFlags {
  readonly all?: true;
}

/** `stint resume`: resumes the named run, or the newest that has something left to do, or all that have. */
export async function resume(io: Io, name: string | undefined, options: ResumeOptions): Promise<number> {
  const opened = await project(io);
  if (!opened.ok) return refuseWith(io, opened.failure);
  const { paths, repo } = opened.value;
  if (name !== undefined && options.all === true)
    return refuse(io, exitCodes.usage, "--all means every run. Leave out --all or the name of the run.");
  const id = name === undefined ? undefined : runCalled(paths, name, { root: repo.root, cwd: io.cwd });
  if (id?.ok === false) return refuse(io, exitCodes.usage, id.failure.message);
  const { runs, damaged } = findRuns(paths);
  for (const why of damaged) warn(io, why);
  const isApproved = (run: StartedRun) => isStillApproved(opened.value, runs, run);
  const tellOfOthers = async () =>
    (await runsLeftBehind(runs, isApproved)).forEach((run) => io.err(whyLeftBehind(run)));
  if (options.all === true) {
    await tellOfOthers();
    return await resumeAll(io, opened.value, { runs: await runsToResume(runs, isApproved), options });
  }
  const meant = id === undefined ? await runToResume(runs, isApproved) : runs.find((run) => run.id === id.value);
  if (id === undefined && meant !== undefined && meant.state.finished !== null) await tellOfOthers();
  if (meant !== undefined) return await resumeRun(io, opened.value, { state: meant.state, options });
  if (damaged.length > 0) return refuse(io, exitCodes.internal, "no run to resume can be read");
  return refuse(io, exitCodes.usage, "no run to resume. Start one with `stint run`.");
}

function whyLeftBehind({ state }: StartedRun): string {
  const [name, { plan }] = [runName(state), state];
  return `Run ${name} is skipped: another version of plan ${plan} was approved since. \`stint resume ${name}\` finishes the old one, \`stint run ${plan}\` starts the new one.`;
}

/** One that somebody drives already needs nobody else, unless it is paused. */
async function resumeAll(
  io: Io,
  project: Project,
  { runs, options }: { readonly runs: readonly StartedRun[]; readonly options: ResumeOptions },
): Promise<number> {
  const byName = new Map<string, RunState>();
  for (const { state } of runs) {
    const driver = driverOf(project.paths, state.plan);
    if (driver === null || state.paused) byName.set(runName(state), state);
    else io.err(`Run ${runName(state)} is skipped: process ${driver} drives it.`);
  }
  if (byName.size === 0) {
    io.err("No run to resume.");
    return exitCodes.done;
  }
  const drive = (name: string) => resumeRun(io, project, { state: byName.get(name)!, options });
  return await inARow(io, { names: [...byName.keys()], drive, quiet: options.json === true });
}

interface Resumption {
  readonly state: RunState;
  readonly options: ResumeOptions;
}

async function resumeRun(io: Io, project: Project, { state, options }: Resumption): Promise<number> {
  const { budgetUsd: usd } = options;
  const raised = usd === undefined ? undefined : await raiseCap(io, project, { state, usd });
  if (raised !== undefined && (raised !== exitCodes.done || !state.paused)) return raised;
  const asked = await askToResume(io, project, state);
  if (asked !== undefined) return asked;
  const request = { run: state.run, plan: state.plan, flags: readingFlags(options), signal: io.signal };
  const opening = await resumeById(project, request, listenerOf(io, options));
  return await driveOpening(io, project, { opening, options });
}

/** Raises the cap of a run that another process drives; undefined where none does, and the caller has to drive it. */
async function raiseCap(
  io: Io,
  project: Project,
  { state, usd }: { readonly state: RunState; readonly usd: number },
): Promise<number | undefined> {
  const run = runName(state);
  const driver = driverOf(project.paths, state.plan);
  if (driver === null) return undefined;
  const sent = await deliver(io, { project, state }, { kind: "raise", budgetUsd: usd });
  if (!sent.ok) {
    const { exitCode, message } = sent.failure;
    return refuse(io, exitCode, exitCode === exitCodes.usage ? `${message}; ${whenEnded(run, driver, usd)}` : message);
  }
  // It ended meanwhile, and the journal has the new cap for whoever drives the run next.
  if (sent.value.driver === null) return undefined;
  io.out(`The cap of run ${run} is ${money(usd)} USD now; process ${driver} continues with it.`);
  return exitCodes.done;
}

function whenEnded(run: string, driver: number, usd: number): string {
  return `process ${driver} is running run ${run}. To use this cap, stop it with \`stint stop --run ${run}\`, then \`stint resume ${run} --budget-usd ${usd}\`.`;
}

/**
 * Resumes a paused run in the process that waits for it, or lets the process that drives it publish again; undefined where
 * there is none, and the caller has to drive it.
 */
async function askToResume(io: Io, project: Project, state: RunState): Promise<number | undefined> {
  const driver = driverOf(project.paths, state.plan);
  if (driver === null || (!state.paused && !isSharingRefused(state))) return undefined;
  const sent = await deliver(io, { project, state }, { kind: "resume" });
  if (!sent.ok) return sent.failure.exitCode === exitCodes.usage ? undefined : refuseWith(io, sent.failure);
  io.out(
    state.paused
      ? `Run ${runName(state)} resumed in process ${driver}.`
      : `Process ${driver} tries again to share the work of run ${runName(state)}.`,
  );
  return exitCodes.done;
}
