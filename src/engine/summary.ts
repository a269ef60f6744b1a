import { isPushAsked, isUnpushed } from "./push.ts";
import type { Spending } from "./session.ts";
import type { Phase, Question, RunState, TaskState } from "./state.ts";
import { blockedRoots, whyInLine, whyPending, type Roots } from "./waiting.ts";
import { engineLimits } from "./limits.ts";
import { shortened, visible } from "../base/visible.ts";

export type RunStanding = "running" | "interrupted" | "waiting" | "paused" | "stopped" | "finished";
export type TaskStanding =
  "pending" | "running" | "verifying" | "asking" | "taken" | "integrated" | "satisfied" | "blocked";

export interface TaskSummary {
  readonly id: string;
  readonly title: string;
  readonly state: TaskStanding;
  readonly attempts: number;
  readonly commit: string | null;
  readonly reason: string | null;
  readonly cost: Cost;
}

/** In `--json`, as public formats have it. */
export interface Cost {
  readonly usd: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
  /** Only where there are some: tokens whose price nobody knows, so that `usd` is less than the whole. */
  readonly unpriced_tokens?: number;
}

/** What `stint status` says of a run; `--json` prints it as it is. */
export interface RunSummary {
  readonly run: string;
  readonly plan: string;
  readonly state: RunStanding;
  readonly reason: string | null;
  readonly branch: string;
  readonly tip: string;
  readonly published: boolean;
  /** Null where the rules ask for no push, or not yet. */
  readonly pushed: boolean | null;
  readonly tasks: readonly TaskSummary[];
  /** The open ones: what `stint answer` takes. */
  readonly questions: readonly Question[];
  /** Checks that were red and green on one tree. */
  readonly flaky: readonly string[];
  readonly cost: Cost;
  readonly cost_by_role: Readonly<Record<string, Cost>>;
  /** Null means no cap. */
  readonly budget: { readonly usd: number | null; readonly tokens: number | null; readonly task_usd: number | null };
}

/** `driven` is the one fact the journal cannot know: whether a driver is alive. */
export function summarise(state: RunState, driven: boolean): RunSummary {
  const { run, plan, branch, tip, usage, usageByRole, publication, settings } = state;
  const roots = blockedRoots(state);
  const stands = standing(state, driven);
  return {
    run,
    plan,
    state: stands,
    reason: reason(state),
    branch,
    tip,
    published: tip === state.base || (publication?.commit === tip && publication.deferred === null),
    pushed: isPushAsked(state) ? !isUnpushed(state) : null,
    tasks: [...state.tasks.values()].map((task) => idle(summariseTask(state, task, roots), stands)),
    questions: [...state.questions.values()].map(shown),
    flaky: [...state.flaky.values()],
    cost: costOf(usage),
    cost_by_role: Object.fromEntries([...usageByRole].map(([role, spent]) => [role, costOf(spent)])),
    budget: { usd: settings.budgetUsd, tokens: settings.budgetTokens, task_usd: settings.taskUsd },
  };
}

/** An agent asks in words of any length and with any character. */
function shown(asked: Question): Question {
  return { ...asked, question: shortened(visible(asked.question, { multiline: true }), engineLimits.questionCharsMax) };
}

function costOf({ usd, inputTokens, outputTokens, unpricedTokens }: Spending): Cost {
  const cost = { usd, input_tokens: inputTokens, output_tokens: outputTokens };
  return unpricedTokens === 0 ? cost : { ...cost, unpriced_tokens: unpricedTokens };
}

function standing(state: RunState, driven: boolean): RunStanding {
  if (state.finished !== null) return "finished";
  if (state.paused) return "paused";
  if (state.parked !== null) return "waiting";
  if (state.stopped !== null) return "stopped";
  return driven ? "running" : "interrupted";
}

function reason(state: RunState): string | null {
  if (state.finished !== null)
    return state.finished === "done" ? null : "unproven: some tasks were satisfied before any work";
  if (state.paused) return "paused by a person";
  if (state.parked === null) return state.stopped;
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
    commit: task.commit,
    reason: taskReason(state, task, roots),
    cost: costOf(task.usage),
  };
}

/** Said of a task whose session was ended with the run. */
export const idleReason = "ended at no cost; it begins anew when the run goes on";

/** Nothing is under way where the run does not go on, however far a task had come. */
function idle(task: TaskSummary, run: RunStanding): TaskSummary {
  const isIdle = task.state === "running" && (run === "paused" || run === "stopped" || run === "interrupted");
  return isIdle ? { ...task, reason: idleReason } : task;
}

/** By a person, who has no workspace yet. */
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
  return `${why.replace(/[.;]$/, "")}; no other plan came of it (revision ${replan.revision}): ${replan.failed}`;
}

function taskReason(state: RunState, task: TaskState, roots: Roots): string | null {
  if (task.phase === "blocked" || task.phase === "exhausted") return whyBlocked(task) ?? null;
  if (task.phase === "satisfied") return "its checks were green before any work, so nothing is proven";
  if (state.queue.has(task.spec.id)) return whyInLine(state, task) ?? null;
  if (task.phase === "taken")
    return task.feedback?.attempt === task.attempts ? `handed in and refused: ${task.feedback.why}` : null;
  if (task.phase !== "pending") return null;
  if (isBeingTaken(task)) return "its workspace is made when the run goes on";
  return whyPending(state, task, roots) ?? null;
}
