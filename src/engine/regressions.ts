import { enter, hasLanded, taskOf, type RunState } from "./state.ts";
import type { CheckEvidence, Regression } from "./evidence.ts";
import type { EventOf, RunEvent } from "./events.ts";
import { noteTests } from "./tests-seen.ts";
import { remember } from "./verdicts.ts";
import { engineLimits } from "./limits.ts";

/** Returns what is known of the red checks of this tip; it is empty until they were traced. */
export function knownRegressions({ bisected, tip }: Pick<RunState, "bisected" | "tip">): readonly Regression[] {
  return bisected?.tip === tip ? bisected.regressions : [];
}

/** Lists the red checks of the final tip that were not traced yet. A room that could not be set up says nothing about a commit. */
export function toBisect(state: RunState): CheckEvidence[] {
  const known = new Set(knownRegressions(state).map(({ key }) => key));
  return reds(state).filter(({ key, cause }) => cause === undefined && key !== undefined && !known.has(key));
}

/** Reopens the first task whose commit turned checks red; one that was reopened too often is left to a person. */
export function toReopen(state: RunState): RunEvent | null {
  const red = new Set(reds(state).map(({ key }) => key));
  const found = knownRegressions(state).filter(({ key }) => red.has(key));
  const task = found.map((one) => one.task).find((id) => id !== null && mayReopen(state, id)) ?? null;
  if (task === null) return null;
  const regressions = found.filter((one) => one.task === task);
  return { type: "task-reopened", task, regressions, why: regressions.map((one) => one.why).join("; ") };
}

/** Names each red check of a complete branch, and the task that turned it red. */
export function whyRed(state: RunState): string {
  const known = new Map(knownRegressions(state).map((one) => [one.key, one]));
  const lines = reds(state).map(({ key, label, state: answer, why }) => {
    const found = known.get(key ?? "");
    if (found === undefined) return `${label} (${answer}: ${why})`;
    return `${label} (${found.why}${found.task === null ? "" : unfixed(state, found.task)})`;
  });
  return `not green on the final tip: ${lines.join("; ")}`;
}

/** The task's next attempt gets the output of what turned red, as it would get the verdict on a failed attempt. */
export function reopen(state: RunState, { task: id, regressions, why }: EventOf<"task-reopened">) {
  const task = taskOf(state, id);
  task.reopens += 1;
  task.spent = task.conflicts = 0;
  task.failed = task.redOn = null;
  task.replanAsked = false;
  task.replan = null;
  task.regressions = regressions;
  const keys = new Set(regressions.map(({ key }) => key));
  const checks = reds(state).filter(({ key }) => key !== undefined && keys.has(key));
  task.feedback = { attempt: task.attempts, reason: "regression", why, guards: [], checks };
  enter(state, id, "pending");
}

/** Where all is green, nothing is left to fix, even for tasks that were reopened. */
export function verifiedFinally(state: RunState, event: EventOf<"final-verified">) {
  state.finalVerified = event;
  remember(state, event.tree, event.checks);
  noteTests(
    state,
    event.tip,
    event.checks.filter((check) => check.state === "green"),
  );
  if (!event.ok) return;
  for (const task of state.tasks.values()) {
    task.regressions = [];
    if (task.phase !== "blocked" || !hasLanded(task)) continue;
    task.blocked = null;
    state.questions.delete(task.spec.id);
    enter(state, task.spec.id, "integrated");
  }
}

/** Keeps the regressions that were traced to a task; the others may be found now that a person has had a look. */
export function onlyCulprits(bisected: RunState["bisected"]): RunState["bisected"] {
  if (bisected === null) return null;
  return { ...bisected, regressions: bisected.regressions.filter((one) => one.task !== null) };
}

function reds({ finalVerified, tip }: RunState): readonly CheckEvidence[] {
  return finalVerified?.tip === tip ? finalVerified.checks.filter((check) => check.state !== "green") : [];
}

function mayReopen(state: RunState, id: string): boolean {
  const { phase, reopens } = taskOf(state, id);
  return phase === "integrated" && reopens < engineLimits.reopensPerTaskMax;
}

function unfixed(state: RunState, id: string): string {
  const { phase, blocked, reopens } = taskOf(state, id);
  if (phase === "blocked") return `; ${id} could not fix it: ${blocked?.why ?? "no reason given"}`;
  return `; ${id} has already been reopened ${reopens} times`;
}
