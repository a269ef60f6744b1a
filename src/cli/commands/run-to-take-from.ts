import { exitCodes } from "../../engine/exit-code.ts";
import type { RunState } from "../../engine/state.ts";
import { isPlanOf } from "../../engine/revise.ts";
import type { Approved } from "../../approval/approved-plan.ts";
import { isStillApproved } from "../../approval/plan-of-run.ts";
import type { Project } from "../../project/project.ts";
import { findRuns } from "../../project/runs.ts";
import { startOrResume, type Choice } from "../../run/start-or-resume.ts";
import { unknownNameMessage } from "../../plan/nearest.ts";
import { ok } from "../../base/result.ts";
import type { Io } from "../io.ts";
import { approvedNow, listenerOf } from "./drive-run.ts";
import {
  openRunToCommand,
  project,
  projectAndPlan,
  refusal,
  refused,
  type RunToCommand,
  type Selected,
} from "./select.ts";

export interface TakeOptions {
  readonly run?: string;
  readonly plan?: string;
}

/** The given run, or the unfinished one of a plan still approved; if there is none, starts one without agents. */
export async function runToTakeFrom(io: Io, task: string, { run, plan }: TakeOptions): Promise<Selected<RunToCommand>> {
  if (run !== undefined) return await openRunToCommand(io, run);
  const opened = await project(io);
  if (!opened.ok) return opened;
  const open = await openRuns(opened.value, plan);
  if (open.length === 0) return await runBegunFor(io, task, plan);
  const [only, ...others] = open.length === 1 ? open : open.filter(({ tasks }) => tasks.has(task));
  if (only !== undefined && others.length === 0) return ok({ project: opened.value, state: only });
  const list = open.map((state) => state.run).join(", ");
  return refusal(
    exitCodes.usage,
    `several runs are unfinished; say which one task ${task} belongs to with --run: ${list}`,
  );
}

/** A run of an earlier approval is over for good: work done there would not reach the next one. */
async function openRuns(project: Project, plan: string | undefined): Promise<RunState[]> {
  const { runs } = findRuns(project.paths, plan);
  const newest = new Map(runs.map((run) => [run.state.plan, run]));
  const open: RunState[] = [];
  for (const run of newest.values()) {
    if (run.state.finished === null && (await isStillApproved(project, runs, run))) open.push(run.state);
  }
  return open;
}

async function runBegunFor(io: Io, task: string, name: string | undefined): Promise<Selected<RunToCommand>> {
  const selected = await projectAndPlan(io, name);
  if (!selected.ok) return selected;
  const { project, plan } = selected.value;
  // Standard output is for the path of the workspace alone.
  const quiet = { ...io, out: io.err };
  const options = { wait: false };
  const choose = async (): Promise<Selected<Choice>> => {
    const approved = await approvedNow(quiet, project, { plan, options });
    if (!approved.ok) return approved;
    const why = whyNotFirst(project, approved.value, task);
    return why === undefined ? ok({ start: approved.value }) : refusal(exitCodes.usage, why);
  };
  const request = { plan, choose, flags: {}, byHand: true, signal: io.signal };
  const opening = await startOrResume(project, request, listenerOf(quiet, {}));
  if (!opening.ok)
    return "code" in opening.failure ? { ok: false, failure: opening.failure } : refused(opening.failure);
  if (opening.value.kind !== "opened") throw new Error(`Internal error: expected a new run of ${plan}`);
  const { opened } = opening.value;
  // Events not delivered to hooks by now are delivered by the next process that drives the run.
  await opened.close(AbortSignal.abort());
  return ok({ project, state: opened.run.state });
}

function whyNotFirst(project: Project, { ready: { plan, hash } }: Approved, task: string): string | undefined {
  const { runs } = findRuns(project.paths, plan.name);
  const finished = runs.findLast(({ state }) => isPlanOf(state, hash));
  if (finished !== undefined) return `run ${finished.id} of this plan is finished: no task is left to take.`;
  const found = plan.tasks.find(({ id }) => id === task);
  const ids = plan.tasks.map(({ id }) => id);
  if (found === undefined) return unknownNameMessage("task", task, ids);
  if (found.depends.length === 0) return undefined;
  return `task ${task} waits for ${found.depends.join(", ")}, and no run is in progress.`;
}
