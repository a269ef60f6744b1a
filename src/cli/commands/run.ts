import { exitCodes } from "../../engine/exit-code.ts";
import { head } from "../../git/user-repo.ts";
import { readApproval } from "../../approval/approvals.ts";
import { readingFlags, type Ready } from "../../approval/committed-plan.ts";
import { approvedOrResumed, finishedRun, startOrResume, tasksFor } from "../../run/start-or-resume.ts";
import type { Project } from "../../project/project.ts";
import { whyNoAgent } from "../../agents/real-sessions.ts";
import { findRuns, type StartedRun } from "../../project/runs.ts";
import { ok } from "../../base/result.ts";
import { refuse, refuseWith, type Io } from "../io.ts";
import { showPage, openReadyPlan } from "./approve.ts";
import { approvedNow, driveOpening, listenerOf, type DriveFlags } from "./drive-run.ts";
import { inARow } from "./in-a-row.ts";
import { refusalCode, type Refusal } from "../../project/refusals.ts";
import { projectAndPlan, refusal, type Selected } from "./select.ts";
import { tellUncommitted } from "./uncommitted.ts";

export interface RunOptions extends DriveFlags {
  readonly yes?: true;
  readonly dryRun?: true;
  /** The only task to do, with those that it builds on. */
  readonly task?: string;
}

/** `stint run`: executes approved plans in the order given, or resumes their unfinished runs. */
export async function run(io: Io, names: readonly string[], options: RunOptions): Promise<number> {
  const selected = await selectPlans(io, names, options);
  if (!selected.ok) return refuseWith(io, selected.failure);
  const { project, plans } = selected.value;
  if (options.dryRun === true) {
    return await inARow(io, { names: plans, drive: (plan) => dryRun(io, project, { plan, options }), quiet: true });
  }
  const [first = "", ...others] = plans;
  if (others.length === 0) return await runPlan(io, project, first, options);
  const flaw = await preflight(io, project, { plans, options });
  if (flaw !== undefined) return refuseWith(io, flaw);
  // What --yes stands for was done for all of them, before the first one began.
  const { yes: _, ...rest } = options;
  const drive = (plan: string) => runPlan(io, project, plan, rest);
  return await inARow(io, { names: plans, drive, quiet: options.json === true });
}

interface Plans {
  readonly project: Project;
  readonly plans: readonly string[];
}

async function selectPlans(io: Io, names: readonly string[], { task }: RunOptions): Promise<Selected<Plans>> {
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
  const twice = plans.find((plan, at) => plans.indexOf(plan) !== at);
  if (twice !== undefined) return refusal(exitCodes.usage, `plan ${twice} is named twice. Name each plan once.`);
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
    const noAgent = await whyNoAgent(approved.value.ready, project);
    if (noAgent !== undefined) return refusal(refusalCode(noAgent), `plan ${plan}: ${noAgent.message}`).failure;
  }
  return undefined;
}

async function runPlan(io: Io, project: Project, plan: string, options: RunOptions): Promise<number> {
  const approved = () => approvedNow(io, project, { plan, options });
  const request = {
    plan,
    choose: (runs: readonly StartedRun[]) => approvedOrResumed(project, { plan, approved }, runs),
    flags: readingFlags(options),
    task: options.task ?? null,
    signal: io.signal,
  };
  const listener = listenerOf(io, options);
  const starting = async (ready: Ready) => {
    await tellUncommitted(io, project.repo, { name: "this run", tasks: ready.plan.tasks });
    await listener.starting?.(ready);
  };
  const opening = await startOrResume(project, request, { ...listener, starting });
  return await driveOpening(io, project, { opening, options });
}

/** `--dry-run`: approves, commits and starts nothing, whatever else was asked for. */
async function dryRun(
  io: Io,
  project: Project,
  { plan, options }: { readonly plan: string; readonly options: RunOptions },
): Promise<number> {
  const commit = (await head(project.repo)).sha;
  const ready = await openReadyPlan(io, project, { plan, commit, flags: readingFlags(options) });
  if (!ready.ok) return refuseWith(io, ready.failure);
  const noAgent = await whyNoAgent(ready.value, project);
  if (noAgent !== undefined) return refuse(io, refusalCode(noAgent), noAgent.message);
  const only = options.task === undefined ? ok(null) : tasksFor(ready.value.plan.tasks, options.task);
  if (!only.ok) return refuse(io, exitCodes.usage, only.failure.message);
  const as = options.json === true ? "json" : "text";
  await showPage(io, project, { ready: ready.value, commit, as });
  const isApproved = readApproval(project.paths, plan)?.hash === ready.value.hash;
  const asked = only.value === null ? "" : ` Asked for: ${only.value.join(", ")}.`;
  const tell = as === "json" ? io.err : io.out;
  tell(`Dry run: nothing was done.${asked} Plan ${plan} at HEAD is ${isApproved ? "" : "not "}approved.`);
  return exitCodes.done;
}
