import { runName } from "./run-name.ts";
import { isPushAsked, isUnpublished, isUnpushed } from "./push.ts";
import { afterSession, type SessionEnd } from "./session-end.ts";
import type { Spending } from "./session.ts";
import type { Phase, Question, RunState, TaskState } from "./state.ts";
import { blockedRoots, whyInLine, whyPending, type Roots } from "./waiting.ts";
import { plural } from "../base/plural.ts";
import { engineLimits } from "./limits.ts";
import { localStamp } from "../base/local-time.ts";
import { unreachable } from "../base/result.ts";
import { shortened, visible } from "../base/visible.ts";

export type RunStanding = "running" | "interrupted" | "waiting" | "pausing" | "paused" | "stopped" | "finished";
export type TaskStanding =
  "pending" | "running" | "verifying" | "asking" | "taken" | "integrated" | "satisfied" | "blocked";

export interface TaskSummary {
  readonly id: string;
  readonly title: string;
  readonly state: TaskStanding;
  readonly attempts: number;
  /** How many of them do not count as attempts: a pause, a usage limit, a conflict with another task. */
  readonly uncounted: number;
  readonly commit: string | null;
  readonly reason: string | null;
  readonly cost: Cost;
}

/** The cost of a task, a role or a run. `--json` prints it as it is. */
export interface Cost {
  readonly usd: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
  /** Tokens without a known price, so that `usd` is less than the whole cost; absent where there are none. */
  readonly unpriced_tokens?: number;
}

/** What `stint status` shows of a run; `--json` prints it as it is. */
export interface RunSummary {
  readonly run: string;
  /** What people call it, like `invoices#3`. */
  readonly name: string;
  readonly plan: string;
  readonly state: RunStanding;
  readonly reason: string | null;
  /** When a run that waits for a time continues; null where it does not. */
  readonly until: string | null;
  readonly branch: string;
  readonly tip: string;
  readonly published: boolean;
  /** Null where the settings ask for no push, or not yet. */
  readonly pushed: boolean | null;
  readonly tasks: readonly TaskSummary[];
  /** The open questions, which `stint answer` answers. */
  readonly questions: readonly Question[];
  /** The checks that were red and green on one tree. */
  readonly flaky: readonly string[];
  readonly cost: Cost;
  readonly cost_by_role: Readonly<Record<string, Cost>>;
  /** Null means no cap. */
  readonly budget: { readonly usd: number | null; readonly tokens: number | null; readonly task_usd: number | null };
}

/** Summarises a run. `driven` is the one fact that the journal cannot know: whether a driver is alive. */
export function summarise(state: RunState, driven: boolean): RunSummary {
  const { run, plan, branch, tip, usage, usageByRole, settings } = state;
  const roots = blockedRoots(state);
  const stands = standing(state, driven);
  return {
    run,
    name: runName(state),
    plan,
    state: stands,
    reason: reason(state, stands),
    until: stands === "waiting" ? (state.parked?.until ?? null) : null,
    branch,
    tip,
    published: !isUnpublished(state),
    pushed: isPushAsked(state) ? !isUnpushed(state) : null,
    tasks: [...state.tasks.values()].map((task) => idle(summariseTask(state, task, roots), stands, state)),
    questions: [...state.questions.values()].map(shown),
    flaky: [...state.flaky.values()],
    cost: costOf(usage),
    cost_by_role: Object.fromEntries([...usageByRole].map(([role, spent]) => [role, costOf(spent)])),
    budget: { usd: settings.budgetUsd, tokens: settings.budgetTokens, task_usd: settings.taskUsd },
  };
}

/** Makes a question printable, because an agent may ask at any length and with any character. */
function shown(asked: Question): Question {
  return { ...asked, question: shortened(visible(asked.question, { multiline: true }), engineLimits.questionCharsMax) };
}

/** Writes spending as `--json` prints it. */
export function costOf({ usd, inputTokens, outputTokens, unpricedTokens }: Spending): Cost {
  const cost = { usd, input_tokens: inputTokens, output_tokens: outputTokens };
  return unpricedTokens === 0 ? cost : { ...cost, unpriced_tokens: unpricedTokens };
}

/** Says why a run does not run, with the time as people here read it. */
export function reasonHere({ reason, until }: Pick<RunSummary, "reason" | "until">): string | null {
  return reason === null || until === null ? reason : reason.replace(until, localStamp(until));
}

function standing(state: RunState, driven: boolean): RunStanding {
  if (state.finished !== null) return "finished";
  if (state.paused) return driven && state.finishing.size > 0 ? "pausing" : "paused";
  if (state.parked !== null) return "waiting";
  if (state.stopped !== null) return "stopped";
  return driven ? "running" : "interrupted";
}

function reason(state: RunState, stands: RunStanding): string | null {
  if (state.finished !== null)
    return state.finished === "done" ? null : "unproven: some tasks were satisfied before any work";
  if (state.paused) return stands === "pausing" ? finishingText(state.finishing.size) : "paused by a person";
  if (state.parked === null) return state.stopped;
  // What is left says it all.
  if (state.parked.reason === "rest") return state.parked.why;
  const until = state.parked.until === null ? "" : ` until ${state.parked.until}`;
  return `${state.parked.reason}${until}: ${state.parked.why}`;
}

function summariseTask(state: RunState, task: TaskState, roots: Roots): TaskSummary {
  const { id, title } = task.spec;
  return {
    id,
    title,
    state: isBeingTaken(task) ? "taken" : standings[task.phase],
    attempts: task.attempts,
    uncounted: task.uncounted,
    commit: task.commit,
    reason: taskReason(state, task, roots),
    cost: costOf(task.usage),
  };
}

/** Says what a pause waits for. */
function finishingText(sessions: number): string {
  return `${plural(sessions, "session")} ${sessions === 1 ? "is" : "are"} finishing`;
}

/** Says the same, and how not to wait. */
export function finishingHint(sessions: number, run = ""): string {
  const command = `stint pause --now${run === "" ? "" : ` --run ${run}`}`;
  return `${finishingText(sessions)}; \`${command}\` stops ${sessions === 1 ? "it" : "them"}`;
}

/** Says what becomes of a task that had come this far when its run was paused or ended. */
export function idleReason({ attempt }: Pick<TaskState, "attempt">): string {
  const end = endOf(attempt);
  switch (end.kind) {
    case "free":
      return "interrupted, not counted as an attempt; restarts when the run resumes";
    case "verify":
      return "its session is over; the work is verified when the run resumes";
    case "failed":
    case "blocked":
      return `${end.why}; recorded when the run resumes`;
    default:
      return unreachable(end);
  }
}

function endOf(attempt: TaskState["attempt"]): SessionEnd {
  return attempt === null || attempt.outcome === null ? { kind: "free" } : afterSession(attempt);
}

/** No task is running in a run that is paused or not running, however far it had come. */
function idle(task: TaskSummary, run: RunStanding, { finishing, tasks }: RunState): TaskSummary {
  const isOver = run === "paused" || run === "stopped" || run === "interrupted";
  const isBusy = task.state === "running" || task.state === "verifying";
  const isIdle = isBusy && (isOver || (run === "pausing" && !finishing.has(task.id)));
  if (!isIdle) return task;
  const now = tasks.get(task.id)!;
  const uncounted = task.uncounted + (endOf(now.attempt).kind === "free" ? 1 : 0);
  return { ...task, uncounted, reason: idleReason(now) };
}

/** Whether a person has taken the task and has no workspace yet. */
function isBeingTaken({ byHand, phase }: TaskState): boolean {
  return byHand && phase === "pending";
}

const standings: Record<Phase, TaskStanding> = {
  pending: "pending",
  started: "running",
  baselined: "running",
  working: "running",
  taken: "taken",
  ended: "running",
  asking: "asking",
  waiting: "asking",
  rescued: "running",
  candidate: "verifying",
  judging: "verifying",
  passed: "verifying",
  integrating: "verifying",
  exhausted: "blocked",
  integrated: "integrated",
  satisfied: "satisfied",
  blocked: "blocked",
};

function whyBlocked({ blocked, feedback, replan }: TaskState): string | undefined {
  const why = blocked?.why ?? feedback?.why;
  if (why === undefined || replan === null || replan.failed === null) return why;
  return `${why.replace(/[.;]$/, "")}; replanning failed (revision ${replan.revision}): ${replan.failed}`;
}

function taskReason(state: RunState, task: TaskState, roots: Roots): string | null {
  if (task.phase === "blocked" || task.phase === "exhausted") return whyBlocked(task) ?? null;
  if (task.phase === "satisfied") return "its checks were green before any work, so nothing is proven";
  if (state.queue.has(task.spec.id)) return whyInLine(state, task) ?? null;
  if (task.phase === "taken")
    return task.feedback?.attempt === task.attempts ? `submitted and rejected: ${task.feedback.why}` : null;
  if (task.phase !== "pending") return null;
  if (isBeingTaken(task)) return "its workspace is created when the run resumes";
  return whyPending(state, task, roots) ?? null;
}
