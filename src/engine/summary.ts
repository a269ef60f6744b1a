import { isOver, taskOf, type Phase, type RunState, type TaskState } from "./state.ts";

export type RunStanding = "running" | "interrupted" | "waiting" | "stopped" | "finished";
export type TaskStanding = "pending" | "running" | "verifying" | "integrated" | "satisfied" | "blocked";

export interface TaskSummary {
  readonly id: string;
  readonly title: string;
  readonly state: TaskStanding;
  readonly attempts: number;
  readonly commit: string | null;
  readonly reason: string | null;
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
  readonly tasks: readonly TaskSummary[];
  readonly cost: { readonly usd: number; readonly input_tokens: number; readonly output_tokens: number };
}

/** `driven` is the one fact the journal cannot know: whether a driver is alive. */
export function summarise(state: RunState, driven: boolean): RunSummary {
  const { run, plan, branch, tip, usage, publication } = state;
  return {
    run,
    plan,
    state: standing(state, driven),
    reason: reason(state),
    branch,
    tip,
    published: tip === state.base || (publication?.commit === tip && publication.deferred === null),
    tasks: [...state.tasks.values()].map((task) => summariseTask(state, task)),
    cost: { usd: usage.usd, input_tokens: usage.inputTokens, output_tokens: usage.outputTokens },
  };
}

function standing(state: RunState, driven: boolean): RunStanding {
  if (state.finished !== null) return "finished";
  if (state.parked !== null) return "waiting";
  if (state.stopped !== null) return "stopped";
  return driven ? "running" : "interrupted";
}

function reason(state: RunState): string | null {
  if (state.finished !== null)
    return state.finished === "done" ? null : "unproven: some tasks were satisfied before any work";
  if (state.parked === null) return state.stopped;
  const until = state.parked.until === null ? "" : ` until ${state.parked.until}`;
  return `${state.parked.reason}${until}: ${state.parked.why}`;
}

function summariseTask(state: RunState, task: TaskState): TaskSummary {
  const { id, title } = task.spec;
  const commit = task.commit;
  return { id, title, state: standings[task.phase], attempts: task.attempt, commit, reason: taskReason(state, task) };
}

const standings: Record<Phase, TaskStanding> = {
  pending: "pending",
  started: "running",
  baselined: "running",
  working: "running",
  ended: "running",
  rescued: "running",
  candidate: "verifying",
  passed: "verifying",
  integrating: "verifying",
  exhausted: "blocked",
  integrated: "integrated",
  satisfied: "satisfied",
  blocked: "blocked",
};

function taskReason(state: RunState, task: TaskState): string | null {
  if (task.phase === "blocked" || task.phase === "exhausted") return task.blocked?.why ?? task.feedback?.why ?? null;
  if (task.phase === "satisfied") return "its checks were green before any work, so nothing is proven";
  if (task.phase !== "pending") return null;
  const waitsFor = task.spec.depends.filter((id) => !isOver(taskOf(state, id).phase));
  if (waitsFor.length > 0) return `waits for ${waitsFor.map((id) => named(state, id)).join(", ")}`;
  return task.feedback === null ? null : `attempt ${task.feedback.attempt} failed: ${task.feedback.why}`;
}

function named(state: RunState, id: string): string {
  return taskOf(state, id).phase === "blocked" ? `${id} (blocked)` : id;
}
