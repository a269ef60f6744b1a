import { whyRunCapped, whyTaskCapped } from "./budget.ts";
import { awaitedOf } from "./judging.ts";
import { addRanks, noRanks, type RankBits } from "./ranked.ts";
import type { Hold, RunState, TaskState } from "./state.ts";
import { isBarred, taskOf } from "./state.ts";
import type { TaskSpec } from "./events.ts";
import { isUnverified, landing, train } from "./train.ts";
import { meetingPlace } from "../plan/claims.ts";
import type { Role } from "../plan/types.ts";
import { remainingPath } from "../plan/graph.ts";
import { assumedEstimateMs } from "../plan/shape.ts";

/** Ranks the longest remaining path first, then the plan's own order, so that a plan is always scheduled alike. */
export function rankTasks(tasks: readonly TaskSpec[]): Map<string, number> {
  const weights = new Map(tasks.map((task) => [task.id, task.estimateMs ?? assumedEstimateMs]));
  const remaining = remainingPath(tasks, weights);
  const order = tasks.map((task, position) => ({ id: task.id, position, length: remaining.get(task.id) ?? 0 }));
  order.sort((a, b) => b.length - a.length || a.position - b.position);
  return new Map(order.map(({ id }, rank) => [id, rank]));
}

/** Chooses the tasks to start now, best first: as many as there are free lanes, and none that might touch a file of a task that is running. */
export function nextTasks(state: RunState): TaskState[] {
  const lanes = freeLanes(state);
  const { only } = state.settings;
  const asked = only === null ? null : new Set(only);
  const chosen: TaskState[] = [];
  if (lanes <= 0) return chosen;
  const barred = ranksMeetingRunning(state);
  for (const id of state.ready.outside(barred)) {
    const task = taskOf(state, id);
    if (asked?.has(id) === false || !mayStart(state, task)) continue;
    if (chosen.push(task) >= lanes) break;
    addRanks(barred, state.meetings.of(id));
  }
  return chosen;
}

/** Collects the ranks of all tasks that might touch a file of one that is running. */
function ranksMeetingRunning({ tasks, active, held, meetings }: RunState): RankBits {
  const ranks = noRanks(tasks.size);
  for (const ids of [active, held]) for (const id of ids) addRanks(ranks, meetings.of(id));
  return ranks;
}

function mayStart(state: RunState, task: TaskState): boolean {
  if (hasJudge(state, task) || isBarred(state, task.spec.id)) return false;
  return whyTaskCapped(state, task.spec.id) === undefined && holdOn(state, task) === undefined;
}

/** Finds the first running task that might touch a file of this one, and the place where they meet. */
export function overlap(state: RunState, task: TaskState): { readonly task: string; readonly at: string } | undefined {
  for (const ids of [state.active, state.held]) {
    for (const id of ids) {
      const at = id === task.spec.id ? undefined : meetingPlace(taskOf(state, id).claims, task.claims);
      if (at !== undefined) return { task: id, at };
    }
  }
  return undefined;
}

/** A person who takes a task waits for no lane. */
export function takenToStart(state: RunState): TaskState[] {
  return [...state.called].map((id) => taskOf(state, id)).filter((task) => !hasJudge(state, task));
}

/** A task does not start again while a judge of its earlier work may still run. */
function hasJudge({ judges }: RunState, { spec }: TaskState): boolean {
  return (judges.get(spec.id)?.open ?? null) !== null;
}

/** Lists the questions that judges may be asked now: one for each task at a time, the first task to land first. */
export function toJudge(state: RunState): { readonly of: string; readonly question: string }[] {
  if (state.holds.has("judge") || whyRunCapped(state) !== undefined) return [];
  const open = train(state).flatMap((car) => {
    const { id } = car.task.spec;
    const question = whyTaskCapped(state, id) === undefined ? awaitedOf(car) : undefined;
    return question === undefined ? [] : [{ of: id, question }];
  });
  return open.slice(0, lanesToVerify(state));
}

/** A lane is for one session or one verification; verifying goes first, because others wait for what lands. */
export function lanesToVerify(state: RunState): number {
  return Math.max(1, state.settings.parallel - sessions(state));
}

/**
 * A candidate that waits for the one in front to be placed keeps its lane, and so does one that is about to land: that
 * takes a moment, a session an hour, and what builds on it may be more urgent than whatever else is ready.
 */
export function freeLanes(state: RunState): number {
  const cars = train(state);
  const judged = new Set(toJudge(state).map(({ of }) => of));
  const busy = cars.filter((car) => isUnverified(car) || judged.has(car.task.spec.id));
  return state.settings.parallel - sessions(state) - busy.length - landing(cars).length;
}

function sessions(state: RunState): number {
  return [...state.active].filter((id) => !state.queue.has(id) && isSession(taskOf(state, id))).length;
}

function isSession({ phase, byHand }: TaskState): boolean {
  return !byHand && phase !== "exhausted" && phase !== "asking";
}

/** Returns what holds up the role that would do the task next. */
export function holdOn({ holds, settings }: RunState, task: TaskState): Hold | undefined {
  return holds.get(roleFor(task, settings.escalateAfter));
}

/** Hard tasks, late attempts and those after an attempt that got nowhere go to the escalation role; the settings decide which agent that is. */
export function roleFor(task: Pick<TaskState, "spec" | "feedback" | "spent">, escalateAfter: number): Role {
  if (task.spec.role !== "executor") return task.spec.role;
  const reason = task.feedback?.reason;
  const isStuck = reason === "no-progress" || reason === "no-change";
  return task.spec.complexity === "high" || task.spent >= escalateAfter || isStuck ? "escalation" : "executor";
}
