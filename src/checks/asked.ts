import { isOver, taskOf, type RunState } from "../engine/state.ts";
import { tasksBetween } from "../engine/train.ts";
import { isClaimed, meetingPlace } from "../plan/claims.ts";
import { ancestors, ancestry } from "../plan/graph.ts";
import type { Plan, Rules, Task, Check } from "../plan/types.ts";
import { checkKey, checksToFix, distinct, isMechanical, type MechanicalCheck } from "./checks.ts";

/** A check as one verification asks it. */
export interface Asked {
  readonly check: MechanicalCheck;
  readonly key: string;
  /** The earlier task it belongs to; null for the task's own and the rules'. */
  readonly of: string | null;
  /** Whether the task is there to make it green; what must only stay green may be shaky for reasons of its own. */
  readonly isGoal: boolean;
}

export interface Documents {
  readonly plan: Plan;
  readonly rules: Rules;
}

/** A candidate that is put on a commit. */
export interface Landing {
  readonly task: string;
  readonly onto: string;
  /** All that the candidate changes. */
  readonly paths: readonly string[];
}

/** Returns what a task has to make green: first what it has to fix, whatever it was marked, then its own checks. */
export function goalChecks({ plan, rules }: Documents, state: RunState, task: Task): MechanicalCheck[] {
  const { regressions } = taskOf(state, task.id);
  return distinct([...checksToFix(plan, rules, regressions), ...task.checks.filter(isMechanical)]);
}

/** Returns all that is asked of a candidate on the commit it would land on, each check once: its own, the rules', those of earlier tasks it may affect. */
export function askedOf(documents: Documents, state: RunState, landing: Landing): Asked[] {
  const { plan, rules } = documents;
  const byId = new Map(plan.tasks.map((task) => [task.id, task]));
  const checksOf = (id: string) => (byId.get(id)?.checks ?? []).filter(isMechanical);
  const task = byId.get(landing.task);
  const asked = [
    ...(task === undefined ? [] : goalChecks(documents, state, task)).map((check) => ask(check, check.red)),
    ...rules.checks.filter(isMechanical).map((check) => ask(check, false)),
    ...affectedTasks(state, landing).flatMap((id) =>
      checksOf(id)
        .map((check) => ({ ...ask(check, false), of: id }))
        .filter(({ key }) => !isKnownRed(state, key)),
    ),
  ];
  const byKey = new Map<string, Asked>();
  for (const one of asked) if (!byKey.has(one.key)) byKey.set(one.key, one);
  return [...byKey.values()];
}

/** Finds the earlier tasks whose checks a candidate might turn red: those it builds on, and those it might share a file with. */
function affectedTasks(state: RunState, { task: id, onto, paths }: Landing): string[] {
  const satisfied = [...state.tasks.values()].filter(({ phase }) => phase === "satisfied").map(({ spec }) => spec.id);
  const earlier = new Set([...satisfied, ...tasksBetween(state, state.base, onto)]);
  earlier.delete(id);
  if (state.settings.reverify === "all") return [...earlier];
  const { claims } = taskOf(state, id);
  const before = ancestors(
    [...state.tasks.values()].map(({ spec }) => spec),
    id,
  );
  return [...earlier].filter((other) => {
    const theirs = taskOf(state, other).claims;
    const isShared = meetingPlace(claims, theirs) !== undefined || paths.some((path) => isClaimed(path, theirs));
    return isShared || before.has(other);
  });
}

/** Watching a check can take as long as asking it once more, so it must save more than that. */
const askedAgainMin = 2;

/**
 * Finds which of the checks that a task's landing is asked may be asked again, after later work: those of a task that another
 * one, still to come, builds on or might share a file with, unless that one asks them anyway.
 */
export function askedLater(
  { plan, rules }: Documents,
  state: RunState,
  { task, asked }: { readonly task: string; readonly asked: readonly Asked[] },
): Set<string> {
  const always = new Set(rules.checks.filter(isMechanical).map(checkKey));
  const coming = plan.tasks.filter(({ id }) => id !== task && !isOver(taskOf(state, id).phase));
  const keysOf = new Map(coming.map(({ id, checks }) => [id, new Set(checks.map(checkKey))]));
  const tie = ancestry([...state.tasks.values()].map(({ spec }) => spec));
  const isTied = (other: string, owner: string) =>
    tie.isAncestor(owner, other) ||
    meetingPlace(taskOf(state, other).claims, taskOf(state, owner).claims) !== undefined;
  const keys = asked
    .filter(({ key }) => !always.has(key))
    .filter(({ of, key }) => {
      const tied = coming.filter(({ id }) => keysOf.get(id)?.has(key) !== true && isTied(id, of ?? task));
      return tied.length >= askedAgainMin;
    })
    .map(({ key }) => key);
  return new Set(keys);
}

function ask(check: MechanicalCheck, isGoal: boolean): Asked {
  return { check, key: checkKey(check), of: null, isGoal };
}

/** A regression that another task has to fix says nothing about this one. */
function isKnownRed({ finalVerified }: RunState, key: string): boolean {
  return finalVerified?.checks.some((check) => check.key === key && check.state !== "green") ?? false;
}

/** Returns what checks ask of a judge, each question once. */
export function questionsIn(checks: readonly Check[]): string[] {
  return [...new Set(checks.flatMap((check) => (check.kind === "judge" ? [check.question] : [])))];
}

/** Returns what a judge is asked about a task's candidate: its own questions, then those of the rules. */
export function taskQuestions({ plan, rules }: Documents, id: string): string[] {
  const own = plan.tasks.find((task) => task.id === id)?.checks ?? [];
  return questionsIn([...own, ...rules.checks]);
}
