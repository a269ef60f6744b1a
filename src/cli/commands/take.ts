import { runName } from "../../engine/run-name.ts";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { exitCodes } from "../../engine/exit-code.ts";
import { taskOf, type RunState, type TaskState } from "../../engine/state.ts";
import { planNameIn, type Project } from "../../project/project.ts";
import type { RunEntry } from "../../hooks/run-entry.ts";
import { visible } from "../../base/visible.ts";
import { ok } from "../../base/result.ts";
import { isPlanOf } from "../../engine/revise.ts";
import type { Approved } from "../../approval/approved-plan.ts";
import { isStillApproved } from "../../approval/plan-of-run.ts";
import { findRuns } from "../../project/runs.ts";
import { listed } from "../../project/run-to-read.ts";
import { startOrResume, type Choice } from "../../run/start-or-resume.ts";
import { unknownNameMessage } from "../../plan/nearest.ts";
import { oneFileOf } from "../../plan/plan-folder.ts";
import { isQuickPlan } from "../../plan/quick-plan.ts";
import { runPaths } from "../../project/paths.ts";
import { refuseWith, type Io } from "../io.ts";
import { renderEvent } from "../render-event.ts";
import { concludeWithoutWorkspace, driveAlone, lastSeq, settleByHand, workspaceOf, type InHand } from "./by-hand.ts";
import { refused } from "../../project/refusals.ts";
import { type Selected, openRunToCommand, project, projectAndPlan, refusal, type RunToCommand } from "./select.ts";
import { deliver } from "./steer.ts";
import { approvedNow, listenerOf } from "./drive-run.ts";

export interface TakeOptions {
  readonly run?: string;
  readonly plan?: string;
}

/** `stint take`: gives a person the workspace an agent would get; standard output gets nothing but its path. */
export async function take(io: Io, task: string, options: TakeOptions): Promise<number> {
  const opened = await runToTakeFrom(io, task, options);
  if (!opened.ok) return refuseWith(io, opened.failure);
  const { project, state } = opened.value;
  const tell = (entry: RunEntry) => io.err(renderEvent(entry));
  const hand = { run: state.run, plan: state.plan, task, since: lastSeq(project, state.run), tell };
  const before = await withoutDeadSession(io, project, { hand, state });
  if (!before.ok) return refuseWith(io, before.failure);
  const known = before.value.tasks.get(task);
  if (known !== undefined && isTheirs(project, before.value, known)) return give(io, project, before.value, known);
  if (known === undefined || !isInTheMaking(known)) {
    const sent = await deliver(io, opened.value, { kind: "take", task });
    if (!sent.ok) return refuseWith(io, sent.failure);
  }
  const settled = await settleByHand(io, project, hand);
  if (!settled.ok) return refuseWith(io, settled.failure);
  if (known !== undefined && conflictOf(known)) io.err(visible(howToBringAlong(project, state, known)));
  return conclude(io, project, settled.value, taskOf(settled.value, task));
}

/** Finds the given run, or the unfinished one of a plan still approved; if there is none, starts one without agents. */
async function runToTakeFrom(io: Io, task: string, { run, plan }: TakeOptions): Promise<Selected<RunToCommand>> {
  if (run !== undefined) return await openRunToCommand(io, run);
  const opened = await project(io);
  if (!opened.ok) return opened;
  const { root } = opened.value.repo;
  const open = await openRuns(opened.value, plan === undefined ? plan : planNameIn(plan, { root, cwd: io.cwd }));
  if (open.length === 0) return await runBegunFor(io, task, plan);
  const [only, ...others] = open.length === 1 ? open : open.filter(({ tasks }) => tasks.has(task));
  if (only !== undefined && others.length === 0) return ok({ project: opened.value, state: only });
  return refusal(
    exitCodes.usage,
    `several runs are unfinished; say which one task ${task} belongs to with --run: ${listed(open)}`,
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
  if (!opening.ok) return refused(opening.failure);
  if (opening.value.kind !== "opened") throw new Error(`Internal error: expected a new run of ${plan}`);
  const { opened } = opening.value;
  // Events not delivered to hooks by now are delivered by the next process that drives the run.
  await opened.close(AbortSignal.abort());
  return ok({ project, state: opened.run.state });
}

function whyNotFirst(project: Project, { ready: { plan, hash } }: Approved, task: string): string | undefined {
  const { runs } = findRuns(project.paths, plan.name);
  const finished = runs.findLast(({ state }) => isPlanOf(state, hash));
  if (finished !== undefined) return `run ${runName(finished.state)} is finished: no task is left to take.`;
  const found = plan.tasks.find(({ id }) => id === task);
  const ids = plan.tasks.map(({ id }) => id);
  if (found === undefined) return unknownNameMessage("task", task, ids);
  if (found.depends.length === 0) return undefined;
  return `task ${task} waits for ${found.depends.join(", ")}, and no run is in progress.`;
}

/** Ends and saves first what an agent was doing when its driver died; without a driver nothing else would. */
async function withoutDeadSession(
  io: Io,
  project: Project,
  { hand, state }: { readonly hand: InHand; readonly state: RunState },
): Promise<Selected<RunState>> {
  const task = state.tasks.get(hand.task);
  if (task === undefined || task.byHand || !state.active.has(hand.task)) return ok(state);
  const driven = await driveAlone(io, project, hand);
  return driven.ok ? ok(driven.value ?? state) : driven;
}

/** A task taken already keeps its workspace, unless a conflict calls for one on the new tip. */
function isTheirs(project: Project, state: RunState, task: TaskState): boolean {
  const { phase, spec, attempts } = task;
  return (
    phase === "taken" &&
    !conflictOf(task) &&
    existsSync(workspaceOf(project, state, { id: spec.id, attempt: attempts }))
  );
}

/** Whether a process was killed before it had given the workspace. */
function isInTheMaking({ byHand, phase }: TaskState): boolean {
  return byHand && (phase === "pending" || phase === "started" || phase === "baselined");
}

function conflictOf({ phase, feedback, attempts }: TaskState): boolean {
  return phase === "taken" && feedback?.attempt === attempts && feedback.reason === "conflict";
}

function howToBringAlong(project: Project, state: RunState, { spec: { id }, attempts, attempt }: TaskState): string {
  const old = workspaceOf(project, state, { id, attempt: attempts });
  const candidate = attempt?.candidate?.commit;
  return `What you submitted before is ${candidate}: \`git cherry-pick --no-commit ${candidate}\` applies it to the new workspace. ${old} stays.`;
}

function conclude(io: Io, project: Project, state: RunState, task: TaskState): number {
  if (task.phase === "taken") return give(io, project, state, task);
  return concludeWithoutWorkspace(io, state, task);
}

function give(io: Io, project: Project, state: RunState, { spec: { id }, attempts }: TaskState): number {
  const workspace = workspaceOf(project, state, { id, attempt: attempts });
  io.err(`Task ${id} is yours, in a clone that is set up and that nobody else touches.`);
  io.out(workspace);
  io.err(
    `${visible(taskFile(project, state, { id, workspace }))} says what to do. Whether you commit does not matter: the files count.`,
  );
  const where = visible(project.repo.root);
  io.err(`In ${where}: \`stint submit ${id}\` submits it, \`stint requeue ${id}\` gives it back to agents.`);
  return exitCodes.done;
}

/** Only the folder of its run has the plan of a `stint do`. */
function taskFile(
  { paths }: Project,
  { run, plan }: RunState,
  { id, workspace }: { readonly id: string; readonly workspace: string },
): string {
  const [one, file] = [oneFileOf(plan), `plans/${plan}/tasks/${id}.md`];
  if (isQuickPlan(plan)) return join(runPaths(paths, run).dir, file);
  return `${existsSync(join(workspace, one)) ? one : file} there`;
}
