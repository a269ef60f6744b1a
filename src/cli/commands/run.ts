import { exitCodes } from "../../engine/exit-code.ts";
import { isOver } from "../../engine/state.ts";
import { head } from "../../git/user-repo.ts";
import { readApproval } from "../../approval/approvals.ts";
import { finishedRun, runFor, whyPausedElsewhere } from "../../run/choose-run.ts";
import { readingFlags } from "../../approval/committed-plan.ts";
import { endSessionsOf } from "../../run/other-runs.ts";
import type { Project } from "../../project/project.ts";
import { whyNoAgent } from "../../agents/real-sessions.ts";
import { findRuns, type StartedRun } from "../../project/runs.ts";
import { withAncestors, type Node } from "../../plan/graph.ts";
import { unknownNameMessage } from "../../plan/nearest.ts";
import { ok } from "../../base/result.ts";
import { refuse, type Io } from "../io.ts";
import { showPage, toldReadyPlan } from "./approve.ts";
import { approvedNow, beginRun, knownRuns } from "./begin-run.ts";
import { driveToEnd, takeUp, underLock, type DriveFlags } from "./drive-run.ts";
import { inARow } from "./in-a-row.ts";
import { projectAndPlan, refusal, type Refusal, type Selected } from "./select.ts";

export interface RunOptions extends DriveFlags {
  readonly yes?: true;
  readonly dryRun?: true;
  /** Only this task and what it builds on. */
  readonly task?: string;
}

/** `stint run`: executes approved plans in the order given, or takes up their unfinished runs. */
export async function run(io: Io, names: readonly string[], options: RunOptions): Promise<number> {
  const selected = await selectPlans(io, names, options);
  if (!selected.ok) return refuse(io, selected.failure.code, selected.failure.message);
  const { project, plans } = selected.value;
  if (options.dryRun === true) {
    return await inARow(io, { names: plans, drive: (plan) => dryRun(io, project, { plan, options }), quiet: true });
  }
  const [first = "", ...others] = plans;
  if (others.length === 0) return await runLocked(io, project, first, options);
  const flaw = await preflight(io, project, { plans, options });
  if (flaw !== undefined) return refuse(io, flaw.code, flaw.message);
  // What --yes stands for was done for all of them, before the first one began.
  const { yes: _, ...rest } = options;
  const drive = (plan: string) => runLocked(io, project, plan, rest);
  return await inARow(io, { names: plans, drive, quiet: options.json === true });
}

interface Plans {
  readonly project: Project;
  readonly plans: readonly string[];
}

async function selectPlans(io: Io, names: readonly string[], { task }: RunOptions): Promise<Selected<Plans>> {
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) return refusal(exitCodes.usage, `plan ${twice} is named twice. Name each plan once.`);
  if (task !== undefined && names.length > 1)
    return refusal(exitCodes.usage, "--task names a task of one plan. Name one plan, or leave --task out.");
  const [first, ...others] = names;
  const selected = await projectAndPlan(io, first);
  if (!selected.ok) return selected;
  const plans = [selected.value.plan];
  for (const name of others) {
    const next = await projectAndPlan(io, name);
    if (!next.ok) return next;
    plans.push(next.value.plan);
  }
  return ok({ project: selected.value.project, plans });
}

/** Says before the first plan begins what would stop a later one, so that nobody finds out in the morning. */
async function preflight(
  io: Io,
  project: Project,
  { plans, options }: { readonly plans: readonly string[]; readonly options: RunOptions },
): Promise<Refusal | undefined> {
  for (const plan of plans) {
    if ((await finishedRun(project, plan, findRuns(project.paths, plan).runs)) !== undefined) continue;
    const said: string[] = [];
    const approved = await approvedNow({ ...io, err: (line) => void said.push(line) }, project, { plan, options });
    if (!approved.ok) {
      said.forEach(io.err);
      return approved.failure;
    }
    const noAgent = whyNoAgent(approved.value.ready, project.env);
    if (noAgent !== undefined) return refusal(exitCodes.usage, `plan ${plan}: ${noAgent}`).failure;
  }
  return undefined;
}

async function runLocked(io: Io, project: Project, plan: string, options: RunOptions): Promise<number> {
  const paused = whyPausedElsewhere(project.paths, plan);
  if (paused !== undefined) return refuse(io, exitCodes.internal, paused.message);
  return await underLock(io, project, plan, () => runPlan(io, project, plan, options));
}

async function runPlan(io: Io, project: Project, plan: string, options: RunOptions): Promise<number> {
  const known = knownRuns(io, project, plan);
  if (!known.ok) return refuse(io, known.failure.code, known.failure.message);
  const runs = known.value;
  const finished = await finishedRun(project, plan, runs);
  if (finished !== undefined) return await goOn(io, project, { found: finished, options });
  const approved = await approvedNow(io, project, { plan, options });
  if (!approved.ok) return refuse(io, approved.failure.code, approved.failure.message);
  const found = await runFor(project, runs, approved.value);
  if (found !== undefined) return await goOn(io, project, { found, options });
  const only = askedTasks(approved.value.ready.plan.tasks, options.task);
  if (!only.ok) return refuse(io, only.failure.code, only.failure.message);
  await endSessionsOf(project, runs);
  const started = await beginRun(io, project, { ...approved.value, options, only: only.value });
  if (!started.ok) return refuse(io, started.failure.code, started.failure.message);
  return await driveToEnd(io, started.value, options);
}

async function goOn(
  io: Io,
  project: Project,
  { found, options }: { readonly found: StartedRun; readonly options: RunOptions },
): Promise<number> {
  const tasks = [...found.state.tasks.values()];
  const only = askedTasks(
    tasks.map(({ spec }) => spec),
    options.task,
  );
  if (!only.ok) return refuse(io, only.failure.code, only.failure.message);
  const asked = options.task === undefined ? undefined : found.state.tasks.get(options.task);
  if (asked !== undefined && isOver(asked.phase) && found.state.finished === null) {
    const as = asked.commit === null ? "" : ` as ${asked.commit.slice(0, 12)}`;
    io.err(`Task ${asked.spec.id} is ${asked.phase}${as} already: nothing to do.`);
    return asked.phase === "satisfied" ? exitCodes.person : exitCodes.done;
  }
  return await takeUp(io, project, { found, options, only: only.value });
}

/** The task with all it builds on; null where all tasks are meant. */
function askedTasks(tasks: readonly Node[], task: string | undefined): Selected<readonly string[] | null> {
  if (task === undefined) return ok(null);
  const ids = tasks.map(({ id }) => id);
  return ids.includes(task)
    ? ok(withAncestors(tasks, task))
    : refusal(exitCodes.usage, unknownNameMessage("task", task, ids));
}

/** `--dry-run`: approves, commits and starts nothing, whatever else was asked for. */
async function dryRun(
  io: Io,
  project: Project,
  { plan, options }: { readonly plan: string; readonly options: RunOptions },
): Promise<number> {
  const commit = (await head(project.repo)).sha;
  const ready = await toldReadyPlan(io, project, { plan, commit, flags: readingFlags(options) });
  if (!ready.ok) return refuse(io, ready.failure.code, ready.failure.message);
  const noAgent = whyNoAgent(ready.value, project.env);
  if (noAgent !== undefined) return refuse(io, exitCodes.usage, noAgent);
  const only = askedTasks(ready.value.plan.tasks, options.task);
  if (!only.ok) return refuse(io, only.failure.code, only.failure.message);
  await showPage(io, project, { ready: ready.value, commit, as: "text" });
  const isApproved = readApproval(project.paths, plan)?.hash === ready.value.hash;
  const asked = only.value === null ? "" : ` Asked for: ${only.value.join(", ")}.`;
  io.out(`Dry run: nothing was done.${asked} The plan at HEAD is ${isApproved ? "" : "not "}approved.`);
  return exitCodes.done;
}
