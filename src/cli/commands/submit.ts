import { runName } from "../../engine/run-name.ts";
import { exitCodes } from "../../engine/exit-code.ts";
import { isUnpublished } from "../../engine/push.ts";
import { taskOf, type RunState, type TaskState } from "../../engine/state.ts";
import type { Project } from "../../project/project.ts";
import type { RunEntry } from "../../hooks/run-entry.ts";
import { findRuns } from "../../project/runs.ts";
import { visible } from "../../base/visible.ts";
import { ok } from "../../base/result.ts";
import { nextSteps } from "../../report/next-steps.ts";
import { refuseWith, type Io } from "../io.ts";
import { renderWithEvidence } from "../render-event.ts";
import { concludeWithoutWorkspace, lastSeq, settleByHand, workspaceOf } from "./by-hand.ts";
import { openRunToCommand, project, subjectTask, type RunToCommand, type Selected } from "./select.ts";
import { deliver, type SendOptions } from "./steer.ts";

/** `stint submit`: submits what a person did by hand; it is verified and integrated like any agent's work. */
export async function submit(io: Io, task: string, options: SendOptions): Promise<number> {
  const opened = await runTakenIn(io, task, options);
  if (!opened.ok) return refuseWith(io, opened.failure);
  const { project, state } = opened.value;
  const tell = (entry: RunEntry) => renderWithEvidence(entry).forEach(io.out);
  const hand = { run: state.run, plan: state.plan, task, since: lastSeq(project, state.run), tell };
  const known = state.tasks.get(task);
  // Submitted already, in another terminal or by a process that was killed: just wait for it.
  if (known?.byHand !== true || !state.active.has(task)) {
    const sent = await deliver(io, opened.value, { kind: "submit", task });
    if (!sent.ok) return refuseWith(io, sent.failure);
  }
  const settled = await settleByHand(io, project, hand);
  if (!settled.ok) return refuseWith(io, settled.failure);
  return conclude(io, project, settled.value, taskOf(settled.value, task));
}

function conclude(io: Io, project: Project, state: RunState, task: TaskState): number {
  const { id } = task.spec;
  if (task.phase === "integrated") {
    const as = task.commit?.slice(0, 12) ?? "";
    io.out(`Task ${id} is integrated as ${as}. Its workspace will be deleted unless it has newer changes.`);
    if (state.finished !== null) io.out(`Run ${runName(state)} is finished (${state.finished}).`);
    if (state.parked === null && state.finished === null) return exitCodes.done;
    nextSteps(state).forEach((hint) => io.err(visible(hint, { multiline: true })));
    return isUnpublished(state) ? exitCodes.person : exitCodes.done;
  }
  if (task.phase === "taken") {
    io.err(visible(howToContinue(project, state, task), { multiline: true }));
    return exitCodes.person;
  }
  return concludeWithoutWorkspace(io, state, task);
}

function howToContinue(
  project: Project,
  state: RunState,
  { spec: { id }, attempts, attempt, feedback }: TaskState,
): string {
  const path = workspaceOf(project, state, { id, attempt: attempts });
  const why = feedback?.why ?? "";
  if (feedback !== null && feedback.attempt !== attempts) {
    return `Task ${id} is not integrated: ${why}\nContinue in a fresh workspace: ${path}`;
  }
  if (feedback?.reason !== "conflict") {
    return `Task ${id} is not integrated: ${why}\nFix it in ${path}, then \`stint submit ${id}\` again.`;
  }
  const cure = `\`stint take ${id}\` gives you a fresh workspace on top of what has landed; \`git cherry-pick --no-commit ${attempt?.candidate?.commit}\` there applies this work to it.`;
  return `Task ${id} conflicts with what has landed since: ${why}\n${cure}\n${path} stays as it is.`;
}

/** Finds the given run, or the only one in which the task is taken by hand; else the run that any command is for. */
async function runTakenIn(io: Io, task: string, { run }: SendOptions): Promise<Selected<RunToCommand>> {
  const opened = await project(io);
  if (!opened.ok || run !== undefined) return await openRunToCommand(io, run);
  const isTaken = ({ tasks }: RunState) => tasks.get(task)?.byHand === true;
  const [only, ...others] = findRuns(opened.value.paths).runs.filter(({ state }) => isTaken(state));
  if (only !== undefined && others.length === 0) return ok({ project: opened.value, state: only.state });
  const subject = subjectTask(task);
  return await openRunToCommand(io, run, only === undefined ? subject : { ...subject, isIn: isTaken });
}
