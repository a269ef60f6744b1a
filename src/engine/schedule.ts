import { whyTaskCapped } from "./budget.ts";
import type { RunState, TaskState } from "./state.ts";
import { taskOf } from "./state.ts";
import type { TaskSpec } from "./events.ts";
import type { Role } from "../plan/types.ts";
import { remainingPath } from "../plan/graph.ts";

/** An estimate for tasks that give none: the middle of what a task may take. */
const estimateMsDefault = 30 * 60_000;

/** Longest remaining path first, then the plan's own order: the same plan is always scheduled alike. */
export function rankTasks(tasks: readonly TaskSpec[]): Map<string, number> {
  const weights = new Map(tasks.map((task) => [task.id, task.estimateMs ?? estimateMsDefault]));
  const remaining = remainingPath(tasks, weights);
  const order = tasks.map((task, position) => ({ id: task.id, position, length: remaining.get(task.id) ?? 0 }));
  order.sort((a, b) => b.length - a.length || a.position - b.position);
  return new Map(order.map(({ id }, rank) => [id, rank]));
}

/** The tasks to start now, best first, at most as many as there are free lanes. */
export function nextTasks(state: RunState): TaskState[] {
  const lanes = state.settings.parallel - state.active.size;
  if (lanes <= 0) return [];
  const ready = [...state.ready].filter((id) => whyTaskCapped(state, id) === null).map((id) => taskOf(state, id));
  return ready.toSorted((a, b) => a.rank - b.rank).slice(0, lanes);
}

/** Hard tasks and late attempts go to the escalation role; configuration decides which agent that is. */
export function roleFor(task: TaskState, escalateAfter: number): Role {
  if (task.spec.role !== "executor") return task.spec.role;
  return task.spec.complexity === "high" || task.spent >= escalateAfter ? "escalation" : "executor";
}
