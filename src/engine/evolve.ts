import { accountFor, afterSession } from "./session-end.ts";
import { attemptOf, newAttempt } from "./attempt.ts";
import { enter, taskOf, type RunState, type TaskState } from "./state.ts";
import type { EventOf, RunEvent } from "./events.ts";
import { passChecks, startJudge, takeJudgement } from "./judging.ts";
import { answer, ask, block, requeue, setPaused, settleScope, submit, take } from "./people.ts";
import { acceptRevision, dropRevision, failReplan, revisePlan, startReplan, takeProposal } from "./revise.ts";
import { raiseCap, resume } from "./resume.ts";
import { stateAtStart } from "./start.ts";
import { reopen, verifiedFinally } from "./regressions.ts";
import { noteTests } from "./tests-seen.ts";
import { charge, settleTrain, takeVerdict } from "./verdicts.ts";
import { unreachable } from "../base/result.ts";

/** Folds a journal; the state is undefined until the run has started. */
export function fold(events: Iterable<RunEvent>): RunState | undefined {
  let state: RunState | undefined;
  for (const event of events) state = evolve(state, event);
  return state;
}

/** Applies an event to the state. There is no clock, chance or I/O: the same journal always folds to the same state. */
export function evolve(state: RunState | undefined, event: RunEvent): RunState | undefined {
  if (event.type === "plan-approved" || event.type === "journal-repaired") return state;
  if (event.type === "run-started") return stateAtStart(event);
  if (state === undefined) throw new Error(`Internal error: expected run-started first, but was ${event.type}`);
  if ("command" in event) state.commands.add(event.command);
  apply(state, event);
  return state;
}

function apply(
  state: RunState,
  event: Exclude<RunEvent, { type: "plan-approved" | "run-started" | "journal-repaired" }>,
) {
  switch (event.type) {
    case "resumed":
      return resume(state, event);
    case "attempt-started":
      return startAttempt(state, event);
    case "baseline":
      return baseline(state, event);
    case "agent-started":
      return startAgent(state, event);
    case "agent-finished":
      return finishAgent(state, event);
    case "work-rescued":
      return rescued(state, event.task);
    case "work-lost":
      return lost(state, event);
    case "candidate-made":
      return makeCandidate(state, event);
    case "question":
      return ask(state, event);
    case "answered":
      return answer(state, event);
    case "scope-decided":
      return settleScope(state, event);
    case "placed":
      return place(state, event);
    case "checks-passed":
      return passChecks(state, event);
    case "judge-started":
      return startJudge(state, event);
    case "judged":
      return takeJudgement(state, event);
    case "verdict":
      return takeVerdict(state, event);
    case "integrating":
      attemptOf(taskOf(state, event.task)).verified = { tip: event.old, commit: event.new };
      return enter(state, event.task, "integrating");
    case "task-integrated":
      return integrate(state, event);
    case "replan-requested":
      taskOf(state, event.task).replanAsked = true;
      return;
    case "task-blocked":
      return block(state, event);
    case "task-requeued":
      return requeue(state, event.task);
    case "task-taken":
      return take(state, event.task);
    case "workspace-given":
      return enter(state, event.task, "taken");
    case "task-submitted":
      return submit(state, event.task);
    case "task-reopened":
      return reopen(state, event);
    case "published":
      state.publication = { commit: event.commit, deferred: null };
      return;
    case "publish-deferred":
      state.publication = { commit: event.commit, deferred: event.why };
      return;
    case "parked":
      state.parked = { reason: event.reason, why: event.why, until: event.until };
      return;
    case "pushed":
      state.push = { commit: event.commit, failed: null };
      return;
    case "push-failed":
      state.push = { commit: event.commit, failed: event.why };
      return;
    case "stopped":
      state.stopped = event.why;
      return setPaused(state, null);
    case "pausing":
      return setPaused(state, event.finishing);
    case "paused":
      return setPaused(state, []);
    case "command-ignored":
      return;
    case "final-verified":
      return verifiedFinally(state, event);
    case "bisected":
      state.bisected = event;
      return;
    case "replan-started":
      return startReplan(state, event);
    case "replan-proposed":
      return takeProposal(state, event);
    case "replan-failed":
      return failReplan(state, event);
    case "revision-accepted":
      return acceptRevision(state, event);
    case "plan-revised":
      return revisePlan(state, event);
    case "revision-dropped":
      return dropRevision(state, event);
    case "cap-raised":
      return raiseCap(state, event);
    case "run-finished":
      state.finished = event.outcome;
      return;
    default:
      return unreachable(event);
  }
}

function startAgent(state: RunState, { task, process, marker, endsTurn = false }: EventOf<"agent-started">) {
  Object.assign(attemptOf(taskOf(state, task)), { process: { identity: process, marker }, endsTurn });
  enter(state, task, "working");
}

function startAttempt(state: RunState, event: EventOf<"attempt-started">) {
  const task = taskOf(state, event.task);
  task.attempts = event.attempt;
  task.attempt = newAttempt(event, state.falseStarts.get(event.role) ?? null);
  enter(state, event.task, task.redOn === event.base ? "baselined" : "started");
}

function baseline(state: RunState, event: EventOf<"baseline">) {
  const task = taskOf(state, event.task);
  const { base } = attemptOf(task);
  noteTests(state, base, event.checks);
  switch (event.state) {
    case "red":
      task.redOn = base;
      task.redChecks = new Map(
        event.checks.flatMap(({ key, state: shown, failing = [] }) =>
          key !== undefined && shown === "red" ? [[key, failing]] : [],
        ),
      );
      return enter(state, event.task, "baselined");
    case "green":
      return satisfy(state, task);
    case "broken":
      task.blocked = { kind: "broken-check", why: event.why };
      return enter(state, event.task, "exhausted");
    default:
      return unreachable(event.state);
  }
}

/** A reopened task has its commit already: what it had to fix is green again, and the final checks will show it. */
function satisfy(state: RunState, task: TaskState) {
  if (task.commit === null) return enter(state, task.spec.id, "satisfied");
  task.regressions = [];
  state.finalVerified = null;
  enter(state, task.spec.id, "integrated");
}

function finishAgent(state: RunState, event: EventOf<"agent-finished">) {
  const task = taskOf(state, event.task);
  const attempt = attemptOf(task);
  attempt.outcome = event.outcome;
  attempt.report = event.report;
  const asks = event.outcome.kind === "ok" && event.report !== null && event.report.status !== "infeasible";
  const wanted = asks ? event.report.needFiles.filter((path) => !task.granted.includes(path)) : [];
  attempt.request = wanted.length === 0 ? null : wanted;
  if (attempt.request !== null) task.requests += 1;
  attempt.isFalseStart = accountFor(state, { task: event.task, ...attempt }, event);
  enter(state, event.task, "ended");
}

/** A session that does not count frees its task at once; others wait in `rescued` for their verdict. */
function rescued(state: RunState, id: string) {
  const task = taskOf(state, id);
  const attempt = attemptOf(task);
  const isFree = afterSession(attempt).kind === "free";
  if (isFree) task.uncounted += 1;
  enter(state, id, isFree ? "pending" : attempt.request === null ? "rescued" : "asking");
}

function makeCandidate(state: RunState, { task: id, commit, paths, diff }: EventOf<"candidate-made">) {
  const attempt = attemptOf(taskOf(state, id));
  attempt.candidate = { commit, paths, diff };
  enter(state, id, attempt.request === null ? "candidate" : "asking");
}

function place(state: RunState, { task: id, tip, commit, tree }: EventOf<"placed">) {
  const attempt = attemptOf(taskOf(state, id));
  attempt.placement = { onto: tip, commit, tree };
  attempt.ahead = null;
}

function integrate(state: RunState, event: EventOf<"task-integrated">) {
  const task = taskOf(state, event.task);
  task.commit = event.commit;
  task.byHand = false;
  task.regressions = [];
  state.tip = event.commit;
  state.landed.push({ task: event.task, commit: event.commit });
  const tree = task.attempt?.placement?.tree;
  const proven = tree === undefined ? undefined : state.proven.get(tree);
  noteTests(state, event.commit, proven?.values() ?? []);
  enter(state, event.task, "integrated");
  settleTrain(state);
}

/**
 * An agent that deletes its own workspace must not be started again and again, so that counts as an attempt. A candidate
 * that is lost after it was saved is not the fault of a session, and does not count.
 */
function lost(state: RunState, event: EventOf<"work-lost">) {
  const task = taskOf(state, event.task);
  const attempt = attemptOf(task);
  if (attempt.candidate !== null || afterSession(attempt).kind === "free") {
    task.uncounted += 1;
    return enter(state, event.task, "pending");
  }
  const why = `the workspace was gone when the session ended: ${event.path}`;
  task.feedback = { attempt: event.attempt, reason: "no-change", why, guards: [], checks: [] };
  if (task.byHand) return enter(state, event.task, "pending");
  charge(state, task);
}
