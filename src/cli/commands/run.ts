import { exitCode, exitCodes } from "../../engine/exit-code.ts";
import { isUnpushed } from "../../engine/push.ts";
import { summarise } from "../../engine/summary.ts";
import { head } from "../../git/user-repo.ts";
import { readApproval } from "../../host/approvals.ts";
import { isStillApproved, runWithOtherSettings } from "../../host/approved-settings.ts";
import { readCommittedPlan, type ReadingFlags } from "../../host/committed-plan.ts";
import { lockToDrive } from "../../host/driver-lock.ts";
import { drive } from "../../host/drive.ts";
import { continueRun, startRun, type Observer, type OpenedRun, type Ready } from "../../host/open-run.ts";
import { agentPrograms, whyProgramsDiffer } from "../../host/programs.ts";
import { failedPrerequisites } from "../../host/prerequisites.ts";
import type { Project } from "../../host/project.ts";
import { endSessionsOf } from "../../host/other-runs.ts";
import {
  findRuns,
  listRuns,
  readRun,
  runToContinue,
  runToResume,
  type ReadRun,
  type StartedRun,
} from "../../host/runs.ts";
import { whyCapCannotHold } from "../../host/unheld-caps.ts";
import { type Listener, whyNoAgent } from "../../host/real-sessions.ts";
import { limits } from "../../limits.ts";
import { visible } from "../../plan/visible.ts";
import { ok } from "../../result.ts";
import { refuse, warn, type Io } from "../io.ts";
import { nextSteps } from "../next-steps.ts";
import { renderCaps } from "../render-cost.ts";
import { renderAgentEvent, renderEvent } from "../render-event.ts";
import { roleLines } from "../render-agents.ts";
import { renderPlan } from "../render-plan.ts";
import { approvalDiff, approvePlan, readReadyPlan, uncommittedPlanFiles } from "./approve.ts";
import { askToGoOn } from "./ask-to-go-on.ts";
import { project, projectAndPlan, projectSandbox, refusal, type Selected } from "./select.ts";
import { renderStatus, whyBranchDiffers } from "./status.ts";

export interface DriveFlags {
  readonly budgetUsd?: number;
  readonly parallel?: number;
  readonly wait: boolean;
  readonly json?: true;
}

export interface RunOptions extends DriveFlags {
  readonly yes?: true;
  readonly dryRun?: true;
}

/** `stint run`: executes an approved plan, or takes up its unfinished run. */
export async function run(io: Io, name: string | undefined, options: RunOptions): Promise<number> {
  const selected = await projectAndPlan(io, name);
  if (!selected.ok) return refuse(io, selected.failure.code, selected.failure.message);
  const { project, plan } = selected.value;
  if (options.dryRun === true) return await dryRun(io, project, plan);
  return await underLock(io, project, plan, () => runPlan(io, project, plan, options));
}

/** `stint resume`: takes up the named run, or the newest that has something left to do. */
export async function resume(io: Io, id: string | undefined, options: DriveFlags): Promise<number> {
  const opened = await project(io);
  if (!opened.ok) return refuse(io, opened.failure.code, opened.failure.message);
  const { layout } = opened.value;
  if (id !== undefined && !listRuns(layout).includes(id)) {
    return refuse(io, exitCodes.usage, `no run ${id}. There are: ${listRuns(layout).join(", ") || "none"}`);
  }
  const { runs, damaged } = findRuns(layout);
  for (const why of damaged) warn(io, why);
  const isApproved = (run: StartedRun) => isStillApproved(opened.value, runs, run);
  const meant = id === undefined ? await runToResume(runs, isApproved) : runs.find((run) => run.id === id);
  const state = meant?.state;
  if (state === undefined) {
    if (damaged.length > 0) return refuse(io, exitCodes.internal, "no run can be read that could be resumed");
    return refuse(io, exitCodes.usage, "no run to resume. Start one with `stint run`.");
  }
  const hasFlags = options.budgetUsd !== undefined || options.parallel !== undefined;
  const asked = await askToGoOn(io, opened.value, { state, hasFlags });
  if (asked !== undefined) return asked;
  return await underLock(io, opened.value, state.plan, async () => {
    const again = readRun(layout, state.run);
    if (!again.ok) return refuse(io, exitCodes.internal, again.failure.message);
    return await takeUp(io, opened.value, { found: again.value, options });
  });
}

/** One driver per plan: whoever comes second is told who is first. */
export async function underLock(
  io: Io,
  { layout }: Project,
  plan: string,
  work: () => Promise<number>,
): Promise<number> {
  const lock = await lockToDrive(layout, plan);
  if (!lock.ok) return refuse(io, exitCodes.internal, lock.failure.message);
  try {
    return await work();
  } finally {
    lock.value.release();
  }
}

async function runPlan(io: Io, project: Project, plan: string, options: RunOptions): Promise<number> {
  const { runs, damaged } = findRuns(project.layout, plan);
  for (const why of damaged) warn(io, why);
  const finished = await finishedRun(project, plan, runs);
  if (finished !== undefined) return await takeUp(io, project, { found: finished, options });
  const approved = await approvedPlan(io, project, { plan, options });
  if (!approved.ok) return refuse(io, approved.failure.code, approved.failure.message);
  const { ready, base, approval } = approved.value;
  const found =
    runToContinue(runs, ready.hash, base) ?? (await runWithOtherSettings(project, runs, { ready, head: base }));
  if (found !== undefined) return await takeUp(io, project, { found, options });
  await endSessionsOf(project, runs);
  const started = await beginRun(io, project, { ready, base, approval, options });
  if (!started.ok) return refuse(io, started.failure.code, started.failure.message);
  return await driveToEnd(io, started.value, options);
}

/** Asked before lint: once its branch is merged, a finished plan speaks of files that are there already. */
async function finishedRun(
  project: Project,
  plan: string,
  runs: readonly StartedRun[],
): Promise<StartedRun | undefined> {
  if ((await uncommittedPlanFiles(project, plan)).length > 0) return undefined;
  const commit = (await head(project.repo)).sha;
  const { hash } = await readCommittedPlan(project, { commit, plan });
  const same = runs.filter(({ state }) => state.planHash === hash);
  return same.every(({ state }) => state.finished !== null) ? same.at(-1) : undefined;
}

/** `--dry-run`: approves, commits and starts nothing, whatever else was asked for. */
async function dryRun(io: Io, project: Project, plan: string): Promise<number> {
  const commit = (await head(project.repo)).sha;
  const ready = await readReadyPlan(io, project, { plan, commit });
  if (!ready.ok) return refuse(io, ready.failure.code, ready.failure.message);
  const noAgent = whyNoAgent(ready.value.config, ready.value.plan, project.env);
  if (noAgent !== undefined) return refuse(io, exitCodes.usage, noAgent);
  renderPlan(ready.value).forEach(io.out);
  const isApproved = readApproval(project.layout, plan)?.hash === ready.value.hash;
  io.out(`Dry run: nothing was done. The plan at HEAD is ${isApproved ? "" : "not "}approved.`);
  return exitCodes.done;
}

interface Approved {
  readonly ready: Ready;
  readonly base: string;
  readonly approval: NonNullable<ReturnType<typeof readApproval>>;
}

/** The committed plan, if a person has approved exactly it. */
async function approvedPlan(
  io: Io,
  project: Project,
  { plan, options }: { readonly plan: string; readonly options: RunOptions },
): Promise<Selected<Approved>> {
  if (options.yes === true) {
    const approved = await approvePlan({ ...io, out: () => undefined }, project, { plan, yes: true });
    if (!approved.ok) return approved;
  }
  const uncommitted = await uncommittedPlanFiles(project, plan);
  if (uncommitted.length > 0) {
    const list = uncommitted.map((path) => `  ${path}`).join("\n");
    return refusal(
      exitCodes.person,
      `the plan has changes that are not committed, so nobody approved them:\n${list}\nRun \`stint approve ${plan}\`.`,
    );
  }
  const base = (await head(project.repo)).sha;
  const ready = await readReadyPlan(io, project, { plan, commit: base, flags: flagsOf(options) });
  if (!ready.ok) return ready;
  const approval = readApproval(project.layout, plan);
  if (approval === undefined)
    return refusal(exitCodes.person, `plan ${plan} is not approved. Read it with \`stint approve ${plan}\`.`);
  if (approval.hash === ready.value.hash) {
    const now = agentPrograms(ready.value.config, project.repo.root);
    const differ = whyProgramsDiffer(approval.programs, now, plan);
    return differ === undefined ? ok({ ready: ready.value, base, approval }) : refusal(exitCodes.person, differ);
  }
  const diff = await approvalDiff(project, { previous: approval, commit: base, ready: ready.value });
  return refusal(
    exitCodes.person,
    `plan ${plan} was changed after it was approved:\n${diff.join("\n")}\nApprove the change with \`stint approve ${plan}\`.`,
  );
}

/** Starts a run of what a person has approved, if agents, sandbox and prerequisites are there. */
export async function beginRun(
  io: Io,
  project: Project,
  start: Approved & { readonly options: RunOptions },
): Promise<Selected<OpenedRun>> {
  const { ready, base, approval, options } = start;
  const noAgent = whyNoAgent(ready.config, ready.plan, project.env);
  if (noAgent !== undefined) return refusal(exitCodes.usage, noAgent);
  const found = await projectSandbox(project, ready.config);
  if (!found.ok) return found;
  const sandbox = found.value;
  const failed = await failedPrerequisites(project, { ready, commit: base, ...sandbox, signal: io.signal });
  if (failed !== undefined) return refusal(exitCodes.person, `a prerequisite does not hold: ${failed}`);
  for (const line of roleLines(ready.config, ready.plan)) io.err(visible(line.trim()));
  const unheld = await whyCapCannotHold(ready.config, ready.plan);
  if (unheld !== undefined) warn(io, unheld);
  const flags = flagsOf(options);
  const started = await startRun(project, ready, { approval, base, sandbox, flags, ...following(io, options) });
  return started.ok ? started : refusal(exitCodes.internal, started.failure.message);
}

/** Goes on with a run that is not finished, or says how the finished one ended. */
export async function takeUp(
  io: Io,
  project: Project,
  { found, options }: { readonly found: ReadRun; readonly options: DriveFlags },
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
  const continued = await continueRun(project, state.run, { flags: flagsOf(options), ...following(io, options) });
  if (continued.ok) return await driveToEnd(io, continued.value, options);
  const codes: Record<string, number> = {
    settings: exitCodes.usage,
    unapproved: exitCodes.person,
    "no-mount": exitCodes.usage,
  };
  const code = codes[continued.failure.reason] ?? exitCodes.internal;
  return refuse(io, code, continued.failure.message);
}

/** Drives an opened run until nothing more can be done, and says how it stands. */
export async function driveToEnd(io: Io, { run, confinement, close }: OpenedRun, options: DriveFlags): Promise<number> {
  const { parallel } = run.state.settings;
  io.err(visible(`${parallel === 1 ? "One lane" : `${parallel} lanes`}. ${confinement}`));
  const caps = renderCaps(summarise(run.state, true).budget);
  if (caps !== "") io.err(`Budget ${caps}.`);
  try {
    const state = await drive(run, { signal: io.signal, wait: options.wait });
    const summary = summarise(state, false);
    if (options.json !== true) for (const line of ["", ...renderStatus(summary)]) io.out(visible(line));
    for (const hint of nextSteps(state)) io.err(visible(hint));
    return exitCode(state);
  } finally {
    await run.ports.settle();
    close();
  }
}

/** What of the command line stands above the settings. */
export function flagsOf({ budgetUsd, parallel }: DriveFlags): ReadingFlags {
  return { ...(budgetUsd !== undefined && { budgetUsd }), ...(parallel !== undefined && { parallel }) };
}

/** Journal lines alone for programs; for people also what agents say of waiting and trying again. */
function following(io: Io, options: DriveFlags): { readonly observe: Observer; readonly hear?: Listener } {
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
