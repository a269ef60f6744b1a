import { attemptOf } from "./attempt.ts";
import { enter, taskOf, type RunState, type TaskState } from "./state.ts";
import type { CheckEvidence } from "./evidence.ts";
import type { EventOf } from "./events.ts";
import { withRefusal } from "./people.ts";
import { engineLimits } from "./limits.ts";

/** Applies a verdict. A failure on a commit that has not landed is kept until the cars in front are settled. */
export function takeVerdict(state: RunState, event: EventOf<"verdict">) {
  const task = taskOf(state, event.task);
  const attempt = attemptOf(task);
  remember(state, attempt.placement?.tree, event.checks);
  if (event.result === "passed") {
    const { tip, placed: commit } = event;
    if (commit === null) throw new Error(`Internal error: expected a placed commit of ${event.task}, but was null`);
    attempt.verified = { tip, commit };
    return enter(state, event.task, "passed");
  }
  if (state.queue.has(event.task) && event.tip !== state.tip) attempt.ahead = event;
  else conclude(state, event);
  settleTrain(state);
}

/** A car that reached the front, and had failed on the very commit that is the tip now, has failed for good. */
export function settleTrain(state: RunState) {
  for (;;) {
    const [first] = state.queue;
    const ahead = first === undefined ? null : attemptOf(taskOf(state, first)).ahead;
    if (ahead === null || ahead.tip !== state.tip) return;
    conclude(state, ahead);
  }
}

/** Remembers what was green on a tree, where it need not run again. A flaky check is noted, and runs again. */
export function remember(state: RunState, tree: string | undefined, checks: readonly CheckEvidence[]) {
  for (const { flaky, key, label } of checks) if (flaky === true) state.flaky.set(key ?? label, label);
  if (tree === undefined) return;
  const known = state.proven.get(tree) ?? new Map<string, CheckEvidence>();
  for (const { of: _, cached: __, ...check } of checks) {
    // The journal has the output where the check ran.
    if (check.key !== undefined && check.state === "green" && check.flaky !== true)
      known.set(check.key, { ...check, tail: "" });
  }
  // The tree is set again, so that it counts as the newest.
  state.proven.delete(tree);
  state.proven.set(tree, known);
  const [oldest] = state.proven.keys();
  if (state.proven.size > engineLimits.treesRememberedMax && oldest !== undefined) state.proven.delete(oldest);
}

function conclude(state: RunState, event: EventOf<"verdict">) {
  const task = taskOf(state, event.task);
  const attempt = attemptOf(task);
  const { attempt: number, reason, guards, checks } = event;
  task.feedback = { attempt: number, reason, why: withRefusal(attempt, event.why), guards, checks };
  attempt.ahead = null;
  if (task.byHand) return enter(state, event.task, "taken");
  if (event.result === "conflict") {
    task.conflicts += 1;
    task.uncounted += 1;
    return enter(state, event.task, task.conflicts > engineLimits.conflictsPerTaskMax ? "exhausted" : "pending");
  }
  if (attempt.candidate !== null) task.failed = { base: attempt.base, diff: attempt.candidate.diff };
  charge(state, task, reason === "context");
}

/** Counts an attempt. A task that outgrew a context once would do so again, so it gets no further one. */
export function charge(state: RunState, task: TaskState, isHopeless = false) {
  task.spent += 1;
  const isLast = isHopeless || task.spent >= state.settings.attempts;
  enter(state, task.spec.id, isLast ? "exhausted" : "pending");
}
