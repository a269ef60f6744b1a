import { exitCodes } from "../../engine/exit-code.ts";
import type { RunState } from "../../engine/state.ts";
import { isStillApproved } from "../../approval/plan-of-run.ts";
import { readingFlags } from "../../approval/committed-plan.ts";
import { resumeById } from "../../run/start-or-resume.ts";
import { driverOf } from "../../project/driver-lock.ts";
import type { Project } from "../../project/project.ts";
import { knownRuns } from "../../project/run-to-read.ts";
import { findRuns, listRuns, runsLeftBehind, runsToResume, runToResume, type StartedRun } from "../../project/runs.ts";
import { refuse, warn, type Io } from "../io.ts";
import { askToResume } from "./ask-to-resume.ts";
import { driveOpening, listenerOf, type DriveFlags } from "./drive-run.ts";
import { inARow } from "./in-a-row.ts";
import { raiseCap } from "./raise-cap.ts";
import { project } from "./select.ts";

export interface ResumeOptions extends DriveFlags {
  readonly all?: true;
}

/** `stint resume`: resumes the named run, or the newest that has something left to do, or all that have. */
export async function resume(io: Io, id: string | undefined, options: ResumeOptions): Promise<number> {
  const opened = await project(io);
  if (!opened.ok) return refuse(io, opened.failure.code, opened.failure.message);
  const { paths } = opened.value;
  if (id !== undefined && options.all === true)
    return refuse(io, exitCodes.usage, "--all means every run. Leave out --all or the name of the run.");
  if (id !== undefined && !listRuns(paths).includes(id)) {
    return refuse(io, exitCodes.usage, `no run ${id}. ${knownRuns(paths)}`);
  }
  const { runs, damaged } = findRuns(paths);
  for (const why of damaged) warn(io, why);
  const isApproved = (run: StartedRun) => isStillApproved(opened.value, runs, run);
  const tellOfOthers = async () =>
    (await runsLeftBehind(runs, isApproved)).forEach((run) => io.err(whyLeftBehind(run)));
  if (options.all === true) {
    await tellOfOthers();
    return await resumeAll(io, opened.value, { runs: await runsToResume(runs, isApproved), options });
  }
  const meant = id === undefined ? await runToResume(runs, isApproved) : runs.find((run) => run.id === id);
  if (id === undefined && meant !== undefined && meant.state.finished !== null) await tellOfOthers();
  if (meant !== undefined) return await resumeRun(io, opened.value, { state: meant.state, options });
  if (damaged.length > 0) return refuse(io, exitCodes.internal, "no run to resume can be read");
  return refuse(io, exitCodes.usage, "no run to resume. Start one with `stint run`.");
}

function whyLeftBehind({ id, state: { plan } }: StartedRun): string {
  return `Run ${id} is skipped: another version of plan ${plan} was approved since. \`stint resume ${id}\` finishes the old one, \`stint run ${plan}\` starts the new one.`;
}

/** One that somebody drives already needs nobody else, unless it is paused. */
async function resumeAll(
  io: Io,
  project: Project,
  { runs, options }: { readonly runs: readonly StartedRun[]; readonly options: ResumeOptions },
): Promise<number> {
  const byId = new Map<string, RunState>();
  for (const { id, state } of runs) {
    const driver = driverOf(project.paths, state.plan);
    if (driver === null || state.paused) byId.set(id, state);
    else io.err(`Run ${id} is skipped: process ${driver} drives it.`);
  }
  if (byId.size === 0) {
    io.err("No run to resume.");
    return exitCodes.done;
  }
  const drive = (id: string) => resumeRun(io, project, { state: byId.get(id)!, options });
  return await inARow(io, { names: [...byId.keys()], drive, quiet: options.json === true });
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
