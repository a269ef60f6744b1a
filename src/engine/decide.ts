import { whyAllCapped, whyRunCapped } from "./budget.ts";
import type { BlockKind, ParkReason, RunEvent } from "./events.ts";
import { needsPerson } from "./hold.ts";
import { nextTasks, roleFor } from "./schedule.ts";
import { afterSession } from "./session-end.ts";
import { taskOf, type RunState, type TaskState } from "./state.ts";
import { limits } from "../limits.ts";
import { unreachable } from "../result.ts";

/** What to do next, as data. `record` is a conclusion that needs no doing, only a place in the journal. */
export type Action =
  | { readonly type: "record"; readonly event: RunEvent }
  | { readonly type: "baseline" | "work" | "end-session" | "collect" | "verify" | "integrate"; readonly task: string }
  | { readonly type: "publish" | "final-verify" }
  | {
      readonly type: "park";
      readonly reason: ParkReason;
      readonly why: string;
      /** When the wait is over by the agent's own word; the host waits until then, but at least `afterMs`. */
      readonly until: string | null;
      /** The least time to wait; null means: for a person. */
      readonly afterMs: number | null;
    };

/**
 * The next actions of a run. Level-triggered: it returns what is due in this state every time it is asked,
 * so a host that crashed and folded its journal again is told the same.
 */
export function decide(state: RunState): Action[] {
  if (state.stopped !== null) return [];
  const publish: Action[] =
    state.publication?.commit === state.tip || state.tip === state.base ? [] : [{ type: "publish" }];
  if (state.finished !== null || state.parked !== null) return publish;
  const going = [...state.active].flatMap((id) => continueTask(state, taskOf(state, id)));
  const starting = mayStart(state) ? nextTasks(state).map((task) => startTask(state, task)) : [];
  if (going.length > 0 || starting.length > 0) return [...going, ...starting, ...publish];
  return publish.length > 0 ? publish : [conclude(state)];
}

function continueTask(state: RunState, task: TaskState): Action[] {
  const id = task.spec.id;
  switch (task.phase) {
    case "started":
      return [{ type: "baseline", task: id }];
    case "baselined":
      return [{ type: "work", task: id }];
    case "working":
      return [{ type: "end-session", task: id }];
    case "ended":
      return [{ type: "collect", task: id }];
    case "rescued":
      return [{ type: "record", event: concludeSession(state, task) }];
    case "candidate":
      return isNext(state, id) ? [{ type: "verify", task: id }] : [];
    case "passed":
    case "integrating":
      return [{ type: "integrate", task: id }];
    case "exhausted":
      return [{ type: "record", event: giveUp(state, task) }];
    case "pending":
    case "integrated":
    case "satisfied":
    case "blocked":
      throw new Error(`Internal error: expected an active phase, but was ${task.phase}`);
    default:
      return unreachable(task.phase);
  }
}

/** Candidates are verified one at a time, in the order they were made. */
function isNext(state: RunState, id: string): boolean {
  const [first] = state.queue;
  return first === id;
}

function startTask(state: RunState, task: TaskState): Action {
  const role = roleFor(task, state.settings.escalateAfter);
  const event: RunEvent = {
    type: "attempt-started",
    task: task.spec.id,
    attempt: task.attempt + 1,
    base: state.tip,
    role,
  };
  return { type: "record", event };
}

function mayStart(state: RunState): boolean {
  return state.hold === null && whyRunCapped(state) === null;
}

function concludeSession(state: RunState, task: TaskState): RunEvent {
  const end = afterSession(task);
  const of = { task: task.spec.id, attempt: task.attempt };
  if (end.kind === "blocked") {
    const kind: BlockKind = end.infeasible ? "reported-infeasible" : "reported-blocked";
    return { type: "task-blocked", ...of, kind, why: end.why };
  }
  if (end.kind !== "failed") throw new Error(`Internal error: expected a failed session, but was ${end.kind}`);
  const { reason, why } = end;
  return {
    type: "verdict",
    ...of,
    result: "failed",
    reason,
    why,
    tip: state.tip,
    placed: null,
    guards: [],
    checks: [],
  };
}

/** A task that agents could not do as it is planned asks for another plan first; nobody answers that by itself yet. */
function giveUp(state: RunState, task: TaskState): RunEvent {
  const of = { task: task.spec.id, attempt: task.attempt };
  const blocked = task.blocked ?? whyGivenUp(state, task);
  const asks = blocked.kind === "exhausted" || blocked.kind === "too-big";
  return asks && !task.replanAsked
    ? { type: "replan-requested", ...of, why: blocked.why }
    : { type: "task-blocked", ...of, ...blocked };
}

function whyGivenUp(state: RunState, { feedback, conflicts, spent }: TaskState): NonNullable<TaskState["blocked"]> {
  const last = feedback?.why ?? "no verdict";
  if (conflicts > limits.conflictsPerTaskMax) {
    return { kind: "conflicts", why: `${conflicts} conflicts with other tasks; the last: ${last}` };
  }
  if (feedback?.reason === "context") return { kind: "too-big", why: `the task is too big for one session: ${last}` };
  return { kind: "exhausted", why: `${spent} of ${state.settings.attempts} attempts failed; the last: ${last}` };
}

/** Nothing is under way and nothing can start: finish, wait, or say who is needed. */
function conclude(state: RunState): Action {
  const total = state.tasks.size;
  if (state.counts.integrated + state.counts.satisfied === total) return concludeComplete(state);
  const capped = whyAllCapped(state);
  if (capped !== null) return { type: "park", reason: "budget", why: capped, until: null, afterMs: null };
  if (state.hold !== null) return parkOnHold(state, state.hold);
  const blocked = [...state.tasks.values()].filter((task) => task.phase === "blocked");
  const broken = blocked.some((task) => task.blocked?.kind === "broken-check");
  const why = blocked.map((task) => task.spec.id).join(", ");
  return { type: "park", reason: broken ? "broken-check" : "blocked", why, until: null, afterMs: null };
}

function concludeComplete(state: RunState): Action {
  if (state.finalVerified?.tip !== state.tip) return { type: "final-verify" };
  if (!state.finalVerified.ok) {
    const red = state.finalVerified.checks.filter((check) => check.state !== "green").map((check) => check.label);
    return {
      type: "park",
      reason: "final-red",
      why: `not green on the final tip: ${red.join("; ")}`,
      until: null,
      afterMs: null,
    };
  }
  const outcome = state.counts.satisfied > 0 ? "unproven" : "done";
  return { type: "record", event: { type: "run-finished", outcome, tip: state.tip } };
}

/** A reset that lies in the past, or comes too soon again and again, must not become a loop of sessions. */
function parkOnHold(state: RunState, hold: NonNullable<RunState["hold"]>): Action {
  const { reason, why, until } = hold;
  if (needsPerson(hold)) return { type: "park", reason, why, until: null, afterMs: null };
  const waits = until === null ? limits.limitBackoffMs : [0, ...limits.limitBackoffMs];
  const afterMs = waits[state.holdStreak] ?? null;
  return { type: "park", reason, why, until: afterMs === null ? null : until, afterMs };
}
