import { existsSync } from "node:fs";
import { exitCodes } from "../../engine/exit-code.ts";
import { taskOf, type RunState, type TaskState } from "../../engine/state.ts";
import type { Project } from "../../project/project.ts";
import type { RunEntry } from "../../hooks/run-entry.ts";
import { visible } from "../../base/visible.ts";
import { ok } from "../../base/result.ts";
import { refuse, type Io } from "../io.ts";
import { renderEvent } from "../render-event.ts";
import { concludeWithoutWorkspace, driveAlone, lastSeq, settleByHand, workspaceOf, type InHand } from "./by-hand.ts";
import { runToTakeFrom, type TakeOptions } from "./run-to-take-from.ts";
import type { Selected } from "./select.ts";
import { deliver } from "./send.ts";

/** `stint take`: gives a person the workspace an agent would get; standard output gets nothing but its path. */
export async function take(io: Io, task: string, options: TakeOptions): Promise<number> {
  const opened = await runToTakeFrom(io, task, options);
  if (!opened.ok) return refuse(io, opened.failure.code, opened.failure.message);
  const { project, state } = opened.value;
  const tell = (entry: RunEntry) => io.err(renderEvent(entry));
  const hand = { run: state.run, plan: state.plan, task, since: lastSeq(project, state.run), tell };
  const before = await withoutDeadSession(io, project, { hand, state });
  if (!before.ok) return refuse(io, before.failure.code, before.failure.message);
  const known = before.value.tasks.get(task);
  if (known !== undefined && isTheirs(project, before.value, known)) return give(io, project, before.value, known);
  if (known === undefined || !isInTheMaking(known)) {
    const sent = await deliver(io, opened.value, { kind: "take", task });
    if (!sent.ok) return refuse(io, sent.failure.code, sent.failure.message);
  }
  const settled = await settleByHand(io, project, hand);
  if (!settled.ok) return refuse(io, settled.failure.code, settled.failure.message);
  if (known !== undefined && conflictOf(known)) io.err(visible(howToBringAlong(project, state, known)));
  return conclude(io, project, settled.value, taskOf(settled.value, task));
}

function conclude(io: Io, project: Project, state: RunState, task: TaskState): number {
  if (task.phase === "taken") return give(io, project, state, task);
  return concludeWithoutWorkspace(io, state, task);
}

function give(io: Io, project: Project, state: RunState, { spec: { id }, attempts }: TaskState): number {
  io.err(`Task ${id} is yours. Work in this clone; it is set up, and nobody else touches it:`);
  io.out(workspaceOf(project, state, { id, attempt: attempts }));
  io.err(
    `plans/${state.plan}/tasks/${id}.md there says what to do. Whether you commit does not matter: the files count.`,
  );
  const where = visible(project.repo.root);
  io.err(`In ${where}: \`stint submit ${id}\` submits it, \`stint requeue ${id}\` gives it back to agents.`);
  return exitCodes.done;
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

/** A process was killed before it had given the workspace. */
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
