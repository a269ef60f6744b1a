import type { Action } from "./action.ts";
import { attemptOf } from "./attempt.ts";
import { isAskedDone, whatIsLeft, whyLeftRed } from "./asked.ts";
import { whyAllCapped, whyRunCapped } from "./budget.ts";
import type { CheckEvidence } from "./evidence.ts";
import type { BlockKind, FailureReason, RunEvent } from "./events.ts";
import { nextHold, parkForPerson, parkOnHold, waitFor } from "./park.ts";
import { awaitedOf, concludeFinalJudging, concludeJudging, judgingOf, openQuestion } from "./judging.ts";
import { isComplete, isBarred, taskOf, type Phase, type RunState, type TaskState } from "./state.ts";
import { withRefusal } from "./people.ts";
import { publishDue, pushDue } from "./push.ts";
import { isReplanWanted, planActions } from "./replan.ts";
import { toBisect, toReopen, whyRed } from "./regressions.ts";
import { lanesToVerify, nextTasks, roleFor, takenToStart, toJudge } from "./schedule.ts";
import { afterSession } from "./session-end.ts";
import { hasPassed, toVerify, train } from "./train.ts";
import { engineLimits } from "./limits.ts";
import { unreachable } from "../base/result.ts";
import { isQuickPlan } from "../plan/quick-plan.ts";

/**
 * Returns the next actions of a run. It is level-triggered: it returns all that is due in this state every time it is
 * asked, so a driver that crashed and folded its journal again gets the same answer.
 */
export function decide(state: RunState): Action[] {
  if (state.stopped !== null) return [];
  if (state.paused) return finishSessions(state);
  const sharing = share(state);
  if (state.finished !== null || state.parked !== null) return sharing;
  const going = [...state.active].flatMap((id) => continueTask(state, taskOf(state, id)));
  const landing = [...judges(state), ...verifications(state), ...integration(state)];
  const starting = tasksToStart(state).map((task) => startTask(state, task));
  const all = [...planActions(state), ...going, ...landing, ...starting];
  return all.length > 0 || sharing.some(({ type }) => type === "publish")
    ? [...all, ...sharing]
    : [conclude(state), ...sharing];
}

/** What sessions made before a pause is saved, and verified when the run is resumed. With the last of them the run is paused. */
function finishSessions(state: RunState): Action[] {
  if (state.finishing.size === 0) return [];
  const tasks = [...state.finishing].map((id) => taskOf(state, id));
  const open = tasks.filter(({ phase }) => phase === "working" || phase === "ended");
  if (open.length === 0) return [{ type: "record", event: { type: "paused" } }];
  return open.flatMap((task) => continueTask(state, task));
}

/** Publishes to the user's branch, then pushes to a remote; the work waits for neither. */
function share(state: RunState): Action[] {
  const publish: Action[] = publishDue(state) ? [{ type: "publish" }] : [];
  return pushDue(state) ? [...publish, { type: "push" }] : publish;
}

/** When another plan changes or removes a task, these phases are brought to their end and saved, and nothing else is started. */
const endsBeforeRevision: ReadonlySet<Phase> = new Set(["working", "ended", "integrating"]);

function continueTask(state: RunState, task: TaskState): Action[] {
  const id = task.spec.id;
  if (isBarred(state, id) && !endsBeforeRevision.has(task.phase)) return [];
  switch (task.phase) {
    case "started":
      return [{ type: "baseline", task: id }];
    case "baselined":
      return [{ type: task.byHand ? "give" : "work", task: id }];
    case "working":
      return [{ type: "end-session", task: id }];
    case "ended":
      return [{ type: "collect", task: id }];
    case "asking":
      return [{ type: "settle-scope", task: id }];
    case "rescued":
      return [{ type: "record", event: concludeSession(state, task) }];
    case "candidate":
      return isNoProgress(task) ? [{ type: "record", event: noProgress(state, task) }] : [];
    case "judging": {
      const event = concludeJudging(state, task);
      return event === null ? [] : [{ type: "record", event }];
    }
    case "exhausted":
      return [{ type: "record", event: giveUp(state, task) }];
    case "passed":
    case "integrating":
      return [];
    case "pending":
    case "taken":
    case "waiting":
    case "integrated":
    case "satisfied":
    case "blocked":
      throw new Error(`Internal error: expected an active phase, but was ${task.phase}`);
    default:
      return unreachable(task.phase);
  }
}

/** A judge's session that a dead driver left behind is ended before another one starts. */
function judges(state: RunState): Action[] {
  const open = [...state.judges].filter(([, record]) => record.open !== null);
  const due = toJudge(state).filter(({ of }) => !open.some(([id]) => id === of));
  return [
    ...open.map(([of]): Action => ({ type: "end-judge", of })),
    ...due.map(({ of, question }): Action => ({ type: "judge", of, question })),
  ];
}

function verifications(state: RunState): Action[] {
  const due = toVerify(state).slice(0, lanesToVerify(state));
  return due.flatMap(({ task, onto }) => (onto === null ? [] : [{ type: "verify", task: task.spec.id, onto }]));
}

/** Only the first of the train lands, and only on the commit it was verified on. */
function integration(state: RunState): Action[] {
  const [first] = train(state);
  return first !== undefined && hasPassed(first) ? [{ type: "integrate", task: first.task.spec.id }] : [];
}

function tasksToStart(state: RunState): TaskState[] {
  return [...takenToStart(state), ...(whyRunCapped(state) === undefined ? nextTasks(state) : [])];
}

function startTask(state: RunState, task: TaskState): Action {
  const role = roleFor(task, state.settings.escalateAfter);
  const event: RunEvent = {
    type: "attempt-started",
    task: task.spec.id,
    attempt: task.attempts + 1,
    base: state.tip,
    role,
  };
  return { type: "record", event };
}

function concludeSession(state: RunState, task: TaskState): RunEvent {
  const attempt = attemptOf(task);
  const end = afterSession(attempt);
  const of = { task: task.spec.id, attempt: task.attempts };
  if (end.kind === "blocked") {
    const kind: BlockKind = end.infeasible ? "reported-infeasible" : "reported-blocked";
    return { type: "task-blocked", ...of, kind, why: withRefusal(attempt, end.why) };
  }
  if (end.kind !== "failed") throw new Error(`Internal error: expected a failed session, but was ${end.kind}`);
  return failedVerdict(state, task, end);
}

function failedVerdict(
  state: RunState,
  task: TaskState,
  { reason, why, checks = [] }: { reason: FailureReason; why: string; checks?: readonly CheckEvidence[] },
): RunEvent {
  const of = { task: task.spec.id, attempt: task.attempts };
  const failed = { type: "verdict", result: "failed", placed: null, guards: [] } as const;
  return { ...failed, ...of, reason, why, tip: state.tip, checks };
}

/** The same change on the same base fails in the same way, so no check has to run again. */
function isNoProgress({ failed, attempt }: TaskState): boolean {
  return failed !== null && failed.base === attempt?.base && failed.diff === attempt.candidate?.diff;
}

function noProgress(state: RunState, task: TaskState): RunEvent {
  const { attempt = 0, why = "", checks = [], reason } = task.feedback ?? {};
  const same = `the session made the same change as attempt ${attempt}, which failed: ${why}`;
  // The third time, the second one's reason is true again: it names the first.
  return failedVerdict(state, task, { reason: "no-progress", why: reason === "no-progress" ? why : same, checks });
}

/** A task that agents could not do as planned asks for another plan before it is blocked; what was typed as one has none. */
function giveUp(state: RunState, task: TaskState): RunEvent {
  const of = { task: task.spec.id, attempt: task.attempts };
  const blocked = task.blocked ?? whyGivenUp(state, task);
  const asks = blocked.kind === "exhausted" || blocked.kind === "too-big";
  return asks && !task.replanAsked && !isQuickPlan(state.plan)
    ? { type: "replan-requested", ...of, why: blocked.why }
    : { type: "task-blocked", ...of, ...blocked };
}

function whyGivenUp(state: RunState, { feedback, conflicts, spent }: TaskState): NonNullable<TaskState["blocked"]> {
  const last = feedback?.why ?? "no verdict";
  if (conflicts > engineLimits.conflictsPerTaskMax) {
    return { kind: "conflicts", why: `${conflicts} conflicts with other tasks; the last: ${last}` };
  }
  if (feedback?.reason === "context") return { kind: "too-big", why: `the task is too big for one session: ${last}` };
  return { kind: "exhausted", why: `${spent} of ${state.settings.attempts} attempts failed; the last: ${last}` };
}

/** Nothing is running and nothing can start: the run finishes, waits, or names who is needed. */
function conclude(state: RunState): Action {
  if (isComplete(state)) return concludeComplete(state);
  // Work that waits for a judge is not done, even where agents were asked for nothing.
  if (isAskedDone(state) && !train(state).some((car) => awaitedOf(car) !== undefined)) {
    const red = whyLeftRed(state);
    return red === undefined ? waitFor("rest", whatIsLeft(state)) : waitFor("final-red", red);
  }
  const capped = whyAllCapped(state) ?? (isReplanWanted(state) ? whyRunCapped(state) : undefined);
  if (capped !== undefined) return waitFor("budget", capped);
  const hold = nextHold(state.holds.values());
  if (hold !== undefined) return parkOnHold(state, hold);
  return parkForPerson(state);
}

function concludeComplete(state: RunState): Action {
  if (state.finalVerified?.tip !== state.tip) return judgePlan(state) ?? { type: "final-verify" };
  if (!state.finalVerified.ok) {
    if (toBisect(state).length > 0) return { type: "bisect" };
    const culprit = toReopen(state);
    return culprit === null ? waitFor("final-red", whyRed(state)) : { type: "record", event: culprit };
  }
  const outcome = state.counts.satisfied > 0 ? "unproven" : "done";
  return { type: "record", event: { type: "run-finished", outcome, tip: state.tip } };
}

/** Asks a judge about the plan once all other checks of the final tip are green; null before. */
function judgePlan(state: RunState): Action | null {
  const judging = judgingOf(state, null);
  if (judging === null) return null;
  const event = concludeFinalJudging(state);
  if (event !== null) return { type: "record", event };
  const capped = whyRunCapped(state);
  if (capped !== undefined) return waitFor("budget", capped);
  const hold = state.holds.get("judge");
  if (hold !== undefined) return parkOnHold(state, hold);
  return { type: "judge", of: null, question: openQuestion(judging) ?? "" };
}
