import { runName } from "../../engine/run-name.ts";
import { relative } from "node:path";
import { exitCode, exitCodes } from "../../engine/exit-code.ts";
import type { RunState, TaskState } from "../../engine/state.ts";
import { summarise } from "../../engine/summary.ts";
import { approvedPlan, type Approved } from "../../approval/approved-plan.ts";
import { readingFlags, type Ready } from "../../approval/committed-plan.ts";
import { driveOpened, withCure, type OpenedRun } from "../../run/opened-run.ts";
import type { Opening, StartListener } from "../../run/start-or-resume.ts";
import type { Project } from "../../project/project.ts";
import { refused, type Refusal } from "../../project/refusals.ts";
import { whyUsdCapCannotWork } from "../../agents/usd-cap.ts";
import { visible, visibleLine } from "../../base/visible.ts";
import { messageOf, type Failure, type Result } from "../../base/result.ts";
import { nextSteps } from "../../report/next-steps.ts";
import { renderCaps } from "../../report/render-cost.ts";
import { describeRole, resolveRole, rolesShown } from "../../config/roles.ts";
import type { Needs } from "../../agents/real-sessions.ts";
import { printLine, refuse, refuseWith, warn, type Io } from "../io.ts";
import { renderEvent } from "../render-event.ts";
import { createTicker, showCommands } from "../dialog/ticker.ts";
import { readEntries, showRun } from "../live-view/show-run.ts";
import { agentNotices } from "./agent-notices.ts";
import { approvePlan } from "./approve.ts";
import { tellRunning } from "./beats.ts";
import { tellProblems } from "./lint.ts";
import { type Selected } from "./select.ts";
import { evidenceIn, isTakenOver, renderStatus, whereWorkIs } from "./status.ts";

/** Flags of every command that drives a run. */
export interface DriveFlags {
  readonly budgetUsd?: number;
  readonly parallel?: number;
  readonly wait: boolean;
  readonly json?: true;
  readonly verbose?: true;
}

/** Reads the committed plan, if a person has approved exactly it; `yes` approves it first. */
export async function approvedNow(
  io: Io,
  project: Project,
  { plan, options }: { readonly plan: string; readonly options: DriveFlags & { readonly yes?: true } },
): Promise<Selected<Approved>> {
  if (options.yes === true) {
    const approved = await approvePlan(io, project, { plan, yes: true, as: "nothing" });
    if (!approved.ok) return approved;
  }
  const approved = await approvedPlan(project, { plan, flags: readingFlags(options) });
  tellProblems(io, (approved.ok ? approved.value.ready : approved.failure).problems);
  return approved.ok ? approved : refused(approved.failure);
}

/** Drives the run that was opened to its end, or prints why there is nothing to do. */
export async function driveOpening(
  io: Io,
  project: Project,
  { opening, options }: { readonly opening: Result<Opening, Failure | Refusal>; readonly options: DriveFlags },
): Promise<number> {
  if (!opening.ok) return refuseWith(io, refused(opening.failure).failure);
  const { value } = opening;
  if (value.kind === "opened") return await driveToEnd(io, project, { ...options, opened: value.opened });
  return value.kind === "nothing-left" ? await tellFinished(io, project, value.state) : tellTaskOver(io, value.task);
}

async function tellFinished(io: Io, { repo }: Project, state: RunState): Promise<number> {
  io.err(`Run ${runName(state)} is finished (${state.finished}): nothing to do.`);
  const where = await whereWorkIs(repo, state);
  const missing = isTakenOver(where) ? undefined : where.differs;
  for (const hint of missing === undefined ? nextSteps(state, where) : [missing]) io.err(visible(hint));
  return exitCode(state, { isMerged: isTakenOver(where) });
}

function tellTaskOver(io: Io, { spec: { id }, phase, commit }: TaskState): number {
  const as = commit === null ? "" : ` as ${commit.slice(0, 12)}`;
  io.err(`Task ${id} is already ${phase}${as}: nothing to do.`);
  return phase === "satisfied" ? exitCodes.person : exitCodes.done;
}

/** Drives an opened run until nothing more can be done, and says how it stands. */
async function driveToEnd(
  io: Io,
  { repo }: Project,
  { opened, ...options }: DriveFlags & { readonly opened: OpenedRun },
): Promise<number> {
  const { run, confinement } = opened;
  const { parallel } = run.state.settings;
  io.err(visible(`${parallel === 1 ? "One agent at a time" : `${parallel} agents in parallel`}. ${confinement}`));
  const caps = renderCaps(summarise(run.state, true).budget);
  if (caps !== "") io.err(`Budget ${caps}.`);
  const shown = showRun(io, opened, options);
  const tellLine = (line: string) => void (shown.isView() || options.json === true || io.err(line));
  const stopBeats = tellRunning(tellLine, { state: run.state, activity: opened.activity.now });
  let report: string | undefined;
  try {
    const tell = (failure: unknown) => {
      refuse(shown.io, exitCodes.internal, messageOf(failure));
      shown.io.err("Left as it is for now; everything else continues.");
    };
    const reported = (path: string) => (report = path);
    const driven = driveOpened(opened, { signal: io.signal, wait: options.wait, tell, reported });
    const state = await driven.finally(stopBeats).finally(shown.close);
    const summary = summarise(state, false);
    const more = evidenceIn(readEntries(opened.paths).entries, state);
    if (options.json !== true)
      for (const line of ["", ...renderStatus(summary, more)]) printLine(io, visibleLine(line));
    const where = await whereWorkIs(repo, state);
    for (const hint of nextSteps(state, where)) io.err(visible(hint, { multiline: true }));
    return exitCode(state, { isMerged: isTakenOver(where) });
  } catch (error) {
    if (io.signal.aborted) throw error;
    return refuse(io, exitCodes.internal, withCure(messageOf(error), run.state));
  } finally {
    if (report !== undefined) io.err(visible(`Report: ${shortPath(io.cwd, report)}`));
  }
}

/** Writes a path as one types it from here, where that is shorter. */
function shortPath(from: string, path: string): string {
  const short = relative(from, path);
  return short.length < path.length ? short : path;
}

/** Prints what happens in a run: journal lines for programs; for people also what agents report about waiting. */
export function listenerOf(io: Io, options: Pick<DriveFlags, "json">): StartListener {
  const ticker = createTicker(options.json === true ? { paint: io.paint } : io);
  const common = {
    warn: (message: string) => warn(io, message),
    starting: (ready: Ready) => tellOfAgents(io, ready),
    watch: showCommands(ticker, () => "prerequisite"),
  };
  return options.json === true
    ? { ...common, observe: (entry) => io.out(JSON.stringify(entry)) }
    : { ...common, observe: (entry, state) => printLine(io, renderEvent(entry, state)), hear: agentNotices(io.err) };
}

async function tellOfAgents(io: Io, ready: Ready): Promise<void> {
  for (const line of roleLines(ready)) io.err(visible(line));
  const unheld = await whyUsdCapCannotWork(ready);
  if (unheld !== undefined) warn(io, unheld);
}

/** Says which agent takes each role that is set or that the plan may need. */
function roleLines({ config, plan, rules }: Needs): string[] {
  return rolesShown({ config, plan, rules }).map((role) => {
    const resolved = resolveRole(config, role);
    return `${role}: ${resolved === undefined ? "no agent set, and none found on PATH" : describeRole(resolved)}`;
  });
}
