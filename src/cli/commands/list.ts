import { runName } from "../../engine/run-name.ts";
import { isUnpublished } from "../../engine/push.ts";
import { exitCodes } from "../../engine/exit-code.ts";
import { summarise, type RunStanding } from "../../engine/summary.ts";
import type { RunState } from "../../engine/state.ts";
import { isAncestor } from "../../git/refs.ts";
import { head, type UserRepo } from "../../git/user-repo.ts";
import { approvedPlan, type Unready } from "../../approval/approved-plan.ts";
import { lintWorkTree } from "../../approval/lint.ts";
import { plural } from "../../base/plural.ts";
import { visible, visibleJson } from "../../base/visible.ts";
import { listPlans } from "../../plan/read.ts";
import type { Plan } from "../../plan/types.ts";
import { driverOf } from "../../project/driver-lock.ts";
import { filesThatAreNoPlans, whyLeftOut, type Project } from "../../project/project.ts";
import { findRuns, type StartedRun } from "../../project/runs.ts";
import { finishedRun } from "../../run/start-or-resume.ts";
import { refuseWith, warn, type Io } from "../io.ts";
import { project } from "./select.ts";
import { whereWorkIs } from "./status.ts";

/** A plan as `stint list --json` prints it. */
export interface ListedPlan {
  readonly plan: string;
  /** Null where the plan cannot be read. */
  readonly title: string | null;
  readonly state:
    "errors" | "uncommitted" | "unapproved" | "changed" | "ready" | Exclude<RunStanding, "finished"> | "done";
  /** How many tasks the plan has and how many of them have landed, by its newest run; null without one. */
  readonly tasks: number | null;
  readonly done: number | null;
  readonly run: string | null;
  /** Whether the work of a finished run is part of HEAD; null in every other state. */
  readonly merged: boolean | null;
  /** What the state is about, in words. */
  readonly words: string;
  /** What a person would type next; null where there is nothing to do. */
  readonly next: string | null;
}

/** `stint list`: shows the plans of the work tree, one line each, with their state. */
export async function list(io: Io, options: { readonly json?: true }): Promise<number> {
  const opened = await project(io);
  if (!opened.ok) return refuseWith(io, opened.failure);
  const listed: ListedPlan[] = [];
  for (const plan of listPlans(opened.value.repo.root)) listed.push(await listedPlan(io, opened.value, plan));
  if (options.json === true) io.out(visibleJson(listed));
  else if (listed.length === 0) io.out(visible(await noPlans(opened.value.repo)));
  else for (const line of linesOf(listed)) io.out(visible(line).trimEnd());
  return exitCodes.done;
}

async function noPlans(repo: UserRepo): Promise<string> {
  const why = await whyLeftOut(repo);
  if (why !== undefined) return why;
  const files = filesThatAreNoPlans(repo.root).map((why) => ` ${why}.`);
  return `No plans yet.${files.join("")} Write one with \`stint new <name>\`, or draft one with \`stint plan "<goal>"\`.`;
}

function linesOf(listed: readonly ListedPlan[]): string[] {
  const width = (of: (one: ListedPlan) => string) => Math.max(...listed.map((one) => of(one).length));
  const [names, words] = [width(({ plan }) => plan), width((one) => one.words)];
  return listed.map((one) => `${one.plan.padEnd(names)}  ${one.words.padEnd(words)}  ${one.next ?? ""}`);
}

async function listedPlan(io: Io, opened: Project, plan: string): Promise<ListedPlan> {
  const { runs, damaged } = findRuns(opened.paths, plan);
  for (const why of damaged) warn(io, why);
  const newest = runs.at(-1);
  const reading = await lintWorkTree(opened, plan);
  const about = { plan, title: reading.plan?.title ?? null, merged: null, ...progressOf(newest) };
  if (newest !== undefined && newest.state.finished === null) return { ...about, ...unfinished(opened, newest) };
  // Looked at before lint: once its branch is merged, a finished plan names files that exist already.
  const isOver = newest !== undefined && (await isMergedAndTicked(opened, newest, reading.plan));
  const finished = isOver ? newest : await finishedRun(opened, plan, runs);
  if (finished !== undefined) return { ...about, ...(await ended(opened, finished)) };
  const errors = reading.problems.filter(({ severity }) => severity === "error").length;
  if (errors > 0) return { ...about, state: "errors", words: plural(errors, "error"), next: `stint lint ${plan}` };
  const approved = await approvedPlan(opened, { plan, flags: {} });
  if (!approved.ok) return { ...about, ...unready(approved.failure.reason), next: `stint approve ${plan}` };
  return {
    ...about,
    state: "ready",
    words: damaged.length > 0 ? "approved, a run cannot be read" : "approved, not started",
    next: `stint run ${plan}`,
  };
}

function progressOf(run: StartedRun | undefined): Pick<ListedPlan, "run" | "tasks" | "done"> {
  if (run === undefined) return { run: null, tasks: null, done: null };
  const { tasks } = summarise(run.state, false);
  const landed = tasks.filter(({ state }) => state === "integrated" || state === "satisfied");
  return { run: run.id, tasks: tasks.length, done: landed.length };
}

const runWords: Readonly<Record<RunStanding, string>> = {
  running: "running",
  interrupted: "not running",
  waiting: "waits for you",
  pausing: "pausing",
  paused: "paused",
  stopped: "stopped",
  finished: "done",
};

function unfinished({ paths }: Project, run: StartedRun): Pick<ListedPlan, "state" | "words" | "next"> {
  const { state: stands } = summarise(run.state, driverOf(paths, run.state.plan) !== null);
  const state = stands === "finished" ? "done" : stands;
  const next = ["running", "pausing", "waiting"].includes(stands)
    ? `stint status ${runName(run.state)}`
    : `stint resume ${runName(run.state)}`;
  const words = stands === "waiting" && waitsForAgent(run.state) ? "waits for its agent" : runWords[stands];
  return { state, words: `${words}, ${countsOf(run)}`, next };
}

/** Whether a run waits for a usage limit or a busy service, and not for a person. */
function waitsForAgent({ parked }: StartedRun["state"]): boolean {
  return parked?.reason === "limit" || parked?.reason === "overloaded";
}

function countsOf(run: StartedRun): string {
  const { done, tasks } = progressOf(run);
  return `${done} of ${tasks} done`;
}

function unready(reason: Unready["reason"]): Pick<ListedPlan, "state" | "words"> {
  if (reason === "unapproved") return { state: "unapproved", words: "not approved" };
  if (reason === "uncommitted" || reason === "not-in-head") return { state: "uncommitted", words: "not committed" };
  if (reason === "plan-errors") return { state: "errors", words: "errors in the committed plan" };
  return { state: "changed", words: "changed since approval" };
}

/** Whether a finished run has nothing left to do for the plan, however the settings have changed since. */
async function isMergedAndTicked(project: Project, { state }: StartedRun, plan: Plan | undefined): Promise<boolean> {
  const boxes = plan?.taskLines ?? [];
  const isTicked = boxes.length > 0 && boxes.every(({ ticked }) => ticked);
  return state.finished !== null && isTicked && (await isMerged(project, state));
}

/** Whether HEAD has the work of a run; a run on which nothing landed has none. */
async function isMerged({ repo, control }: Project, { tip, base }: RunState): Promise<boolean> {
  return tip !== base && (await isAncestor(control, tip, (await head(repo)).sha));
}

async function ended(
  project: Project,
  run: StartedRun,
): Promise<Pick<ListedPlan, "state" | "words" | "next" | "merged">> {
  const { tip, base, branch } = run.state;
  const merged = await isMerged(project, run.state);
  const { sameIn, isGone } = merged ? { sameIn: undefined, isGone: false } : await whereWorkIs(project.repo, run.state);
  const isMissing = !merged && (isGone || isUnpublished(run.state));
  const proven = run.state.finished === "unproven" ? ", unproven" : "";
  const same = sameIn === undefined ? "" : `, ${sameIn} has the same content`;
  const where = merged ? ", merged" : same || (isMissing ? `, not on ${branch}` : "");
  const words = `done, ${countsOf(run).replace(" done", "")}${proven}${where}`;
  // A branch that lacks the work must not be merged for it; `status` says why it does.
  const next = isMissing ? `stint status ${runName(run.state)}` : `git merge ${branch}`;
  return { state: "done", words, merged, next: merged || sameIn !== undefined || tip === base ? null : next };
}
