import { whyRunCapped, whyTaskCapped } from "./budget.ts";
import { awaitedOf } from "./judging.ts";
import { freeLanes, holdOn, overlap } from "./schedule.ts";
import { isBarred, isOver, taskOf, type Feedback, type RunState, type TaskState } from "./state.ts";
import { hasPassed, train } from "./train.ts";

/** A task that cannot begin has here the blocked task that it waits for, directly or through others. */
export type Roots = ReadonlyMap<string, string>;

/** Walks from the blocked tasks to those that depend on them, so that a plan of ten thousand tasks is walked once. */
export function blockedRoots(state: RunState): Roots {
  const roots = new Map<string, string>();
  for (const { spec, phase } of state.tasks.values()) {
    if (phase !== "blocked") continue;
    const open = [spec.id];
    for (let id = open.pop(); id !== undefined; id = open.pop()) {
      const behind = (state.dependants.get(id) ?? []).filter((other) => !roots.has(other));
      for (const other of behind) roots.set(other, spec.id);
      open.push(...behind);
    }
  }
  return roots;
}

/** Says why a task has not begun, and what became of its last attempt; undefined where it is about to begin. */
export function whyPending(state: RunState, task: TaskState, roots: Roots): string | undefined {
  if (isBarred(state, task.spec.id)) return `waits for revision ${state.replanning.accepted?.revision} of the plan`;
  const waits = task.spec.depends.filter((id) => !isOver(taskOf(state, id).phase));
  if (waits.length > 0) return `waits for ${waits.map((id) => named(state, id, roots)).join(", ")}`;
  const capped = whyTaskCapped(state, task.spec.id);
  if (capped !== undefined) return capped;
  const said = [whyNotStarted(state, task), task.feedback === null ? undefined : lastAttempt(task.feedback)];
  return said.filter((part) => part !== undefined).join("; ") || undefined;
}

/** Says why a candidate has not landed; undefined for the first in the queue. */
export function whyInLine(state: RunState, { spec: { id }, attempt }: TaskState): string | undefined {
  const cars = train(state);
  const at = cars.findIndex(({ task }) => task.spec.id === id);
  const [car, front] = [cars[at], cars[at - 1]?.task.spec.id];
  const question = car === undefined ? undefined : awaitedOf(car);
  if (question !== undefined) return whyUnjudged(state, id, question);
  if (car === undefined || front === undefined) return undefined;
  const ahead = attempt?.ahead;
  if (ahead?.tip === car.onto) return `failed on top of ${front}, which has not landed: ${ahead.why}`;
  return `${hasPassed(car) ? "verified, " : ""}lands after ${front}`;
}

function whyUnjudged(state: RunState, id: string, question: string): string {
  const why = whyTaskCapped(state, id) ?? whyRunCapped(state) ?? state.holds.get("judge")?.why;
  return why === undefined ? `a judge is asked: ${question}` : `waits for a judge: ${why}`;
}

function whyNotStarted(state: RunState, task: TaskState): string | undefined {
  const met = overlap(state, task);
  if (met !== undefined) return `waits for ${met.task}: both may touch ${met.at || "any file"}`;
  const hold = holdOn(state, task);
  // Where the whole run waits for the same, that says why.
  if (hold !== undefined) return `waits for its agent${state.parked?.why === hold.why ? "" : `: ${hold.why}`}`;
  return freeLanes(state) <= 0 ? "waits for a running task to finish" : undefined;
}

function lastAttempt({ attempt, reason, why }: Feedback): string {
  if (reason === "regression") return `reopened: ${why}`;
  return `attempt ${attempt} ${reason === "conflict" ? "had a conflict" : "failed"}: ${why}`;
}

function named(state: RunState, id: string, roots: Roots): string {
  if (taskOf(state, id).phase === "blocked") return `${id} (blocked)`;
  const root = roots.get(id);
  return root === undefined ? id : `${id} (held up by ${root}, which is blocked)`;
}
