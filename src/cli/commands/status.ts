import { exitCodes } from "../../engine/exit-code.ts";
import { reasonHere, summarise, type RunSummary, type TaskSummary } from "../../engine/summary.ts";
import type { RunState } from "../../engine/state.ts";
import { isUnpublished } from "../../engine/push.ts";
import { readRefIn } from "../../git/refs.ts";
import { missingCommits } from "../../git/objects.ts";
import { inRepo, mergedInto, openUserRepo, sameContentIn, type UserRepo } from "../../git/user-repo.ts";
import { driverOf } from "../../project/driver-lock.ts";
import { pathsOf, runPaths, runRef } from "../../project/paths.ts";
import type { RunToShow } from "../../project/run-to-read.ts";
import { clock } from "../../base/duration.ts";
import { readableLines } from "../../base/readable.ts";
import { inOneLine, visible, visibleJson, visibleLine } from "../../base/visible.ts";
import type { RunEntry } from "../../hooks/run-entry.ts";
import { finalEvidence, historyOf, lastEvidence } from "../../report/history.ts";
import { markOf, marks } from "../../report/marks.ts";
import { timesOf } from "../../report/times.ts";
import { addEvent, emptyHistory } from "../live-view/history.ts";
import { runningRows, type RunningRow } from "../live-view/rows.ts";
import { answerCommands, nextSteps } from "../../report/next-steps.ts";
import { costText, isNothing, renderCost } from "../../report/render-cost.ts";
import { unfinishedPlanningSessions, type UnfinishedPlanningSession } from "../../planning/sessions-on-disk.ts";
import { projectLimits } from "../../project/limits.ts";
import { plural } from "../../base/plural.ts";
import { unreachable } from "../../base/result.ts";
import { printLines, refuseWith, type Io } from "../io.ts";
import { openRunToRead, openRunToShow } from "./select.ts";

export interface StatusOptions {
  readonly json?: true;
  readonly watch?: true;
}

/** `stint status`: shows the state of a run, from its journal alone; `--watch` follows it until it ends. */
export async function status(io: Io, runId: string | undefined, options: StatusOptions): Promise<number> {
  if (options.watch === true) return await watched(io, runId, options);
  const opened = await openRunToShow(io, runId);
  const code = opened.ok ? await tellStatus(io, opened.value, options) : refuseWith(io, opened.failure);
  if (runId === undefined && options.json !== true) await remindOfPlannings(io, opened.ok ? opened.value : undefined);
  return code;
}

async function watched(io: Io, runId: string | undefined, options: StatusOptions): Promise<number> {
  const opened = await openRunToRead(io, runId);
  if (!opened.ok) {
    const code = refuseWith(io, opened.failure);
    if (runId === undefined && options.json !== true) await remindOfPlannings(io);
    return code;
  }
  const { watch } = await import("./watch.ts");
  const { code, state } = await watch(io, opened.value, options);
  if (state === undefined) return code;
  if (io.terminal === undefined) io.out("");
  return await tellStatus(io, { ...opened.value, open: opened.value.entries, state }, options);
}

async function tellStatus(io: Io, opened: RunToShow, options: StatusOptions): Promise<number> {
  const { repo, paths, state, open } = opened;
  const driver = driverOf(paths, state.plan);
  const isDriven = driver !== null;
  // Git works while the run is summarised.
  const looking = whereWorkIs(repo, state);
  const summary = summarise(state, isDriven);
  const where = await looking;
  const { differs, mergedInto: into } = where;
  const shown = { ...summary, published: differs === undefined, merged: into !== undefined };
  if (options.json === true) {
    io.out(visibleJson(shown));
    return exitCodes.done;
  }
  const more = { ...evidenceIn(open, state), running: await runningNow(opened, driver), where };
  printLines(
    io,
    renderStatus(shown, more).map((line) => visibleLine(line)),
  );
  // Where the journal says why the branch lacks the work, the next steps do.
  if (differs !== undefined && !isTakenOver(where) && state.finished !== null && !isUnpublished(state)) io.err(differs);
  if (summary.state !== "running")
    for (const hint of nextSteps(state, { isDriven, ...where, now: Date.now() }))
      io.err(visible(hint, { multiline: true }));
  return exitCodes.done;
}

/** What `stint status` shows besides the summary. */
interface More {
  /** Says in lines why a task failed. */
  readonly evidence?: (task: string) => readonly string[];
  /** Says in lines why the final checks failed. */
  readonly final?: readonly string[];
  /** What is being done now. */
  readonly running?: readonly RunningRow[];
  readonly where?: WhereWorkIs;
}

/** Finds in the events of a run why its tasks and its final checks failed. */
export function evidenceIn(entries: readonly RunEntry[], state: RunState): Pick<More, "evidence" | "final"> {
  const history = historyOf(entries, timesOf(entries));
  return { evidence: (task) => lastEvidence(history.get(task)), final: finalEvidence(state) };
}

/** Finds what the driver of a run is doing. */
async function runningNow({ paths, state, open }: RunToShow, driver: number | null): Promise<RunningRow[]> {
  if (driver === null) return [];
  const { readActivity } = await import("../../run/activity.ts");
  const record = emptyHistory();
  for (const entry of open) addEvent(record, entry);
  const activity = readActivity(runPaths(paths, state.run), driver);
  const rest = { driver, now: Date.now(), isStopping: false, hasKeys: false };
  return runningRows({ state, record, ...activity, ...rest });
}

/** Renders a run as `stint status` prints it. */
export function renderStatus(summary: RunSummary, more: More = {}): string[] {
  const { evidence = () => [], final = [], running = [], where } = more;
  // A planner or the final tip is no task.
  const others = running.filter(({ attempt }) => attempt === 0);
  const width = Math.max(...[...summary.tasks, ...others].map(({ id }) => id.length));
  const asking = summary.questions.map(({ task }) => task);
  const indented = (line: string) => `${" ".repeat(width + 8)}${line}`;
  const tasks = summary.tasks.flatMap((task) => {
    const commit = task.commit === null ? "" : ` ${task.commit.slice(0, 12)}`;
    const isBlocked = task.state === "blocked";
    const line = `  ${box(markOf(task, asking))} ${task.id.padEnd(width)}  ${task.title}${commit}${effort(task)}`;
    if (task.reason === null && !isBlocked && running.length === 0) return line;
    const doing = running.filter(({ id, phase }) => id === task.id && phase !== "idle").map(doingText);
    const why = isBlocked ? evidence(task.id) : [];
    const reason = readableLines(task.reason ?? "");
    return [line, ...[...reason, ...why, ...doing].map(indented)];
  });
  const besides = others.flatMap((row) => [
    `  ${box(marks.running)} ${row.id.padEnd(width)}  ${row.title}`.trimEnd(),
    indented(doingText(row)),
  ]);
  const branch = branchLine(summary, where);
  const head = `run ${summary.name}: ${stateText(summary)}`;
  const flaky = summary.flaky.map((label) => `flaky: ${label} (red and green on the same tree, so it proves little)`);
  const questions = summary.questions.flatMap(renderQuestion);
  const failed = final.length === 0 ? [] : ["final checks failed:", ...final.map((line) => `    ${line}`)];
  return [head, ...tasks, ...besides, ...failed, ...questions, branch, ...flaky, ...renderCost(summary)];
}

/** The box of a plan's list of tasks, which is ticked in ASCII. */
function box(mark: string): string {
  return `[${mark === marks.integrated ? "x" : mark}]`;
}

function doingText({ phase, elapsedMs, line }: RunningRow): string {
  const time = elapsedMs === null ? "" : `, ${clock(elapsedMs)}`;
  return `${phase}${time}${line === "" ? "" : `: ${line}`}`;
}

/** Uses the same words as the live view, and the reader's time. */
function stateText(summary: RunSummary): string {
  const [{ state }, reason] = [summary, reasonHere(summary)];
  if (state === "interrupted") return `not running (${reason ?? "interrupted"})`;
  return inOneLine(reason === null ? state : `${state} (${reason})`);
}

/** A branch is made when the first task lands. */
function branchLine({ branch, tip, published, tasks }: RunSummary, where: WhereWorkIs | undefined): string {
  if (tasks.every(({ commit }) => commit === null)) return `nothing on branch ${branch} yet`;
  const short = tip.slice(0, 12);
  if (published) return `branch ${branch} is at ${short}`;
  if (where !== undefined && (isTakenOver(where) || where.isGone)) return `the run's tip is ${short}`;
  return `branch ${branch} is not at the run's tip ${short}`;
}

/** Shows an open question, with what to type. */
function renderQuestion(asked: RunSummary["questions"][number]): string[] {
  const who = asked.task === null ? "" : `${asked.task} asks: `;
  return [...`${who}${asked.question}`.split("\n"), ...answerCommands(asked).map((command) => `    ${command}`)];
}

function effort({ attempts, uncounted, cost }: TaskSummary): string {
  const counted = attempts - uncounted;
  const tried = attempts > 1 && counted > 0 ? [plural(counted, "attempt")] : [];
  const more = counted > 0 ? `${uncounted} more` : plural(uncounted, "attempt");
  const free = uncounted === 0 ? [] : [`${more} not counted`];
  const parts = [...tried, ...free, ...(isNothing(cost) ? [] : [costText(cost)])];
  return parts.length === 0 ? "" : ` (${parts.join(", ")})`;
}

/** Where the work of a run is, as far as the user's repository shows it. */
export interface WhereWorkIs {
  readonly mergedInto: string | undefined;
  readonly sameIn: string | undefined;
  /** Whether the run's branch was deleted. */
  readonly isGone: boolean;
  /** Says where the run's branch is, if not where the run left it. */
  readonly differs: string | undefined;
}

/** Looks for the work of a run in the user's repository. */
export async function whereWorkIs(repo: UserRepo, state: RunState): Promise<WhereWorkIs> {
  const [differs, into] = await Promise.all([whyBranchDiffers(repo, state), mergedIntoHead(repo, state)]);
  if (differs === undefined || into !== undefined || state.finished === null)
    return { mergedInto: into, sameIn: undefined, isGone: false, differs };
  const isGone = (await readRefIn(inRepo(repo), `refs/heads/${state.branch}`)) === null;
  return { mergedInto: into, sameIn: await sameContentIn(repo, state), isGone, differs };
}

/** Whether the branch that is checked out has the work already, by a merge or a squash merge. */
export function isTakenOver({ mergedInto: into, sameIn }: WhereWorkIs): boolean {
  return into !== undefined || sameIn !== undefined;
}

/** Returns the user's branch that has all of a run's work; undefined while nothing has landed. */
export async function mergedIntoHead(repo: UserRepo, { tip, base, branch }: RunState): Promise<string | undefined> {
  return tip === base ? undefined : await mergedInto(repo, tip, branch);
}

/** Says where the branch is now, which users may move or delete; undefined if it is where the run left it, or nothing has landed. */
async function whyBranchDiffers(repo: UserRepo, state: RunState): Promise<string | undefined> {
  const { branch, base, tip, run } = state;
  if (tip === base) return undefined;
  const [found, missing] = await Promise.all([
    readRefIn(inRepo(repo), `refs/heads/${branch}`),
    missingCommits(inRepo(repo), [tip]),
  ]);
  const isThere = missing.length === 0;
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
async function remindOfPlannings(io: Io, opened?: Pick<RunToShow, "paths">): Promise<void> {
  const repo = opened === undefined ? await openUserRepo(io.cwd) : undefined;
  const paths = repo?.ok === true ? pathsOf(repo.value.commonDir, io.env) : opened?.paths;
  const found = paths === undefined ? [] : unfinishedPlanningSessions(paths).toReversed();
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
