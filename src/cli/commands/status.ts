import { exitCodes } from "../../engine/exit-code.ts";
import { summarise, type RunSummary, type TaskStanding, type TaskSummary } from "../../engine/summary.ts";
import type { RunState } from "../../engine/state.ts";
import { readRefIn } from "../../git/refs.ts";
import { missingCommits } from "../../git/objects.ts";
import { inRepo, type UserRepo } from "../../git/user-repo.ts";
import { driverOf } from "../../project/driver-lock.ts";
import { runRef } from "../../project/paths.ts";
import type { RunToRead } from "../../project/run-to-read.ts";
import { visible, visibleJson } from "../../base/visible.ts";
import { answerCommands, nextSteps } from "../../report/next-steps.ts";
import { costText, isNothing, renderCost } from "../../report/render-cost.ts";
import { unfinishedPlanningSessions, type UnfinishedPlanningSession } from "../../planning/sessions-on-disk.ts";
import { projectLimits } from "../../project/limits.ts";
import { plural } from "../../base/plural.ts";
import { unreachable } from "../../base/result.ts";
import { refuseWith, type Io } from "../io.ts";
import { openRunToRead } from "./select.ts";

export interface StatusOptions {
  readonly json?: true;
  readonly watch?: true;
}

/** `stint status`: shows the state of a run, from its journal alone; `--watch` follows it until it ends. */
export async function status(io: Io, runId: string | undefined, options: StatusOptions): Promise<number> {
  const opened = await openRunToRead(io, runId);
  const isAboutAll = runId === undefined && options.json !== true;
  if (!opened.ok) {
    const code = refuseWith(io, opened.failure);
    if (isAboutAll) await remindOfPlannings(io);
    return code;
  }
  if (options.watch !== true) {
    const code = await tellStatus(io, opened.value, options);
    if (isAboutAll) await remindOfPlannings(io);
    return code;
  }
  const { watch } = await import("./watch.ts");
  const { code, state } = await watch(io, opened.value, options);
  if (state === undefined) return code;
  if (io.terminal === undefined) io.out("");
  return await tellStatus(io, { ...opened.value, state }, options);
}

async function tellStatus(io: Io, { repo, paths, state }: RunToRead, options: StatusOptions): Promise<number> {
  const isDriven = driverOf(paths, state.plan) !== null;
  const summary = summarise(state, isDriven);
  const differs = await whyBranchDiffers(repo, state);
  if (options.json === true) io.out(visibleJson({ ...summary, published: differs === undefined }));
  else for (const line of renderStatus({ ...summary, published: differs === undefined })) io.out(visible(line));
  if (options.json !== true && differs !== undefined && state.finished !== null) io.err(differs);
  if (options.json !== true && summary.state !== "running")
    for (const hint of nextSteps(state, isDriven)) io.err(visible(hint));
  return exitCodes.done;
}

const marks: Record<TaskStanding, string> = {
  pending: "[ ]",
  running: "[>]",
  verifying: "[~]",
  asking: "[?]",
  taken: "[h]",
  integrated: "[x]",
  satisfied: "[=]",
  blocked: "[!]",
};

/** Renders a run as `stint status` prints it. */
export function renderStatus(summary: RunSummary): string[] {
  const width = Math.max(...summary.tasks.map((task) => task.id.length));
  const tasks = summary.tasks.flatMap((task) => {
    const commit = task.commit === null ? "" : ` ${task.commit.slice(0, 12)}`;
    const line = `  ${marks[task.state]} ${task.id.padEnd(width)}  ${task.title}${commit}${effort(task)}`;
    return task.reason === null ? [line] : [line, `${" ".repeat(width + 8)}${task.reason}`];
  });
  const branch = branchLine(summary);
  const head = `run ${summary.run}: ${stateText(summary)}`;
  const flaky = summary.flaky.map((label) => `flaky: ${label} (red and green on the same tree, so it proves little)`);
  const questions = summary.questions.flatMap(renderQuestion);
  return [head, ...tasks, ...questions, branch, ...flaky, ...renderCost(summary)];
}

/** Uses the same words as the live view. */
function stateText({ state, reason }: RunSummary): string {
  if (state === "interrupted") return `not running (${reason ?? "interrupted"})`;
  return reason === null ? state : `${state} (${reason})`;
}

/** A branch is made when the first task lands. */
function branchLine({ branch, tip, published, tasks }: RunSummary): string {
  if (tasks.every(({ commit }) => commit === null)) return `nothing on branch ${branch} yet`;
  return published
    ? `branch ${branch} is at ${tip.slice(0, 12)}`
    : `branch ${branch} is not at the run's tip ${tip.slice(0, 12)}`;
}

/** Shows an open question, with what to type. */
function renderQuestion(asked: RunSummary["questions"][number]): string[] {
  const who = asked.task === null ? "" : `${asked.task} asks: `;
  return [`${who}${asked.question}`, ...answerCommands(asked).map((command) => `    ${command}`)];
}

function effort({ attempts, cost }: TaskSummary): string {
  const parts = [...(attempts > 1 ? [`${attempts} attempts`] : []), ...(isNothing(cost) ? [] : [costText(cost)])];
  return parts.length === 0 ? "" : ` (${parts.join(", ")})`;
}

/** Says where the branch is now, which users may move or delete; undefined if it is where the run left it, or nothing has landed. */
export async function whyBranchDiffers(repo: UserRepo, state: RunState): Promise<string | undefined> {
  const { branch, base, tip, run } = state;
  if (tip === base) return undefined;
  const found = await readRefIn(inRepo(repo), `refs/heads/${branch}`);
  const isThere = (await missingCommits(inRepo(repo), [tip])).length === 0;
  if (found === tip && isThere) return undefined;
  // After refs/stint/ was deleted and git collected garbage, only Stint's own repository has the commits.
  const fetch = `git fetch ${repo.commonDir}/stint/control.git ${runRef(run)}`;
  if (found === tip)
    return `Branch ${branch} points to ${tip}, which is missing from this repository. Fix: \`${fetch}\``;
  const where = found === null ? "does not exist" : `is at ${found.slice(0, 12)}`;
  const show = isThere ? `git branch <name> ${tip}` : `${fetch}:refs/heads/<name>`;
  return `Branch ${branch} ${where}; the run's work is at ${tip}. To see it: \`${show}\``;
}

/** Lists unfinished planning sessions and what each waits for: no run mentions them. */
async function remindOfPlannings(io: Io): Promise<void> {
  const found = (await unfinishedPlanningSessions(io)).toReversed();
  const named = found.slice(0, projectLimits.runsNamedMax);
  for (const planning of named) io.err(reminderOf(planning));
  if (found.length > named.length) io.err(`and ${found.length - named.length} more planning sessions are unfinished.`);
}

function reminderOf({ plan, revises, waits, open }: UnfinishedPlanningSession): string {
  const what = `Planning of ${revises ? `a revision of ${plan}` : plan}`;
  const resume = `Resume: \`stint plan --continue ${plan}\``;
  switch (waits) {
    case "process":
      return `${what} is in progress in another process.`;
    case "answers":
      return `${what} is waiting for ${plural(open, "answer")}. ${resume}`;
    case "judgement":
      return `${what} is waiting for your review of the draft. ${resume}`;
    case "continue":
      return `${what} is unfinished. ${resume}`;
    default:
      return unreachable(waits);
  }
}
