import type { Attempt } from "./attempt.ts";
import type { CheckEvidence, GuardEvidence, Regression } from "./evidence.ts";
import type { BlockKind, EventOf, FailureReason, ParkReason, RunSettings, TaskSpec } from "./events.ts";
import type { Spending } from "./session.ts";
import type { Meetings } from "./meetings.ts";
import type { Ranked } from "./ranked.ts";
import type { TestsSeen } from "./tests-seen.ts";
import type { Claims } from "../plan/claims.ts";
import type { Role } from "../plan/types.ts";
import type { Judging, JudgeRecord } from "./judging.ts";
import type { Replanning } from "./replan.ts";

/**
 * Where a task stands; each phase that is not final decides what the driver does next.
 * pending → started → baselined → working → ended → (rescued | candidate) → passed → integrating → integrated
 * By hand: baselined → taken → ended. With a request for files: ended → asking (→ waiting) → candidate.
 * With questions for a judge: candidate → judging → passed.
 */
export type Phase =
  | "pending"
  | "started"
  | "baselined"
  | "taken"
  | "working"
  | "ended"
  | "rescued"
  | "asking"
  | "waiting"
  | "candidate"
  | "judging"
  | "passed"
  | "integrating"
  | "exhausted"
  | "integrated"
  | "satisfied"
  | "blocked";

/** What the next attempt learns about the last one. */
export interface Feedback {
  readonly attempt: number;
  readonly reason: FailureReason | null;
  readonly why: string;
  readonly guards: readonly GuardEvidence[];
  readonly checks: readonly CheckEvidence[];
}

/** A question to a person, who names its id in the answer. */
export interface Question {
  readonly id: string;
  /** Null where it is about the whole plan. */
  readonly task: string | null;
  readonly about: "scope" | "blocked" | "replan";
  readonly question: string;
  readonly options: readonly string[];
  readonly files: readonly string[];
}

/** A question that is answered. */
export interface Answer {
  readonly question: string;
  readonly answer: string;
}

export interface TaskState {
  readonly spec: TaskSpec;
  /** Position in scheduling order among tasks that are ready: smaller starts first. */
  rank: number;
  claims: Claims;
  phase: Phase;
  /** Dependencies not yet integrated or satisfied. */
  unmet: number;
  /** How many attempts there were, including those that do not count. */
  attempts: number;
  /** The latest one; null before the first, and after a revision changed the task. */
  attempt: Attempt | null;
  /** How many of them do not count: a pause, a usage limit, a conflict with another task. */
  uncounted: number;
  /** Attempts that count against the limit, since a person last gave it new ones. */
  spent: number;
  conflicts: number;
  /** The base whose baseline was red, so that another attempt on it need not run the checks again. */
  redOn: string | null;
  /** The checks that were red there, by key, with the tests that failed. */
  redChecks: ReadonlyMap<string, readonly string[]>;
  /** The judge's questions and answers about the candidate, kept for a later one that makes the same change. */
  judging: Judging | null;
  commit: string | null;
  feedback: Feedback | null;
  /** The last candidate that failed, to recognise one that makes the same change. */
  failed: { readonly base: string; readonly diff: string } | null;
  /** How many sessions asked for files since a person last gave it new attempts: the settings do not grant without end. */
  requests: number;
  /** Files beyond its own that it may create or change. */
  granted: readonly string[];
  /** What its sessions asked and were answered, by a person or by the settings, for the next attempt. */
  answers: readonly Answer[];
  /** A person does it by hand. */
  byHand: boolean;
  /** The checks that its commit turned red and that it has to fix. */
  regressions: readonly Regression[];
  reopens: number;
  blocked: { readonly kind: BlockKind; readonly why: string } | null;
  /** Whether it has asked for another plan. */
  replanAsked: boolean;
  /** The revision that was asked for because it is blocked, and why that failed. */
  replan: { readonly revision: number; readonly failed: string | null } | null;
  usage: Spending;
}

/** Why no new session of a role may start: its agent's limit, overload, missing login or wrong settings. */
export interface Hold {
  readonly reason: "limit" | "overloaded" | "auth" | "agent";
  readonly until: string | null;
  readonly why: string;
  /** What a person should do about it, where more is known than the reason. */
  readonly cure?: string;
  /** Whether only false starts say that the program does not work: an answer to another session ends the hold. */
  readonly isOfFalseStarts?: true;
}

/**
 * The whole state of a run, folded from its journal and from nothing else.
 * Only `evolve` changes it, and in place, so that an event costs the same with ten thousand tasks as with ten.
 */
export interface RunState extends Omit<EventOf<"run-started">, "type" | "settings" | "tasks"> {
  settings: RunSettings;
  /** The tasks that agents were last asked to do, null for all. Work by hand in between does not change it. */
  asked: readonly string[] | null;
  tasks: ReadonlyMap<string, TaskState>;
  dependants: ReadonlyMap<string, readonly string[]>;
  /** Ids of tasks that have started, have not ended and need no person, in the order in which they got there. */
  readonly active: Set<string>;
  /** Ids of tasks that have started and wait for a person: they are taken by hand, or wait for an answer. */
  readonly held: Set<string>;
  /** Ids of pending tasks that agents may do and whose dependencies have all landed, best first. */
  ready: Ranked;
  /** Which tasks might touch the same files. */
  meetings: Meetings;
  /** Ids of pending tasks that a person has taken. */
  readonly called: Set<string>;
  /** Ids of tasks that wait to be verified and integrated, in order. */
  readonly queue: Set<string>;
  readonly counts: { integrated: number; satisfied: number; blocked: number };
  /** The open questions, by id. */
  readonly questions: Map<string, Question>;
  /** The commands that were journaled, accepted or not, so that none is applied twice. */
  readonly commands: Set<string>;
  /** What was green, by tree and then by check. */
  readonly proven: Map<string, Map<string, CheckEvidence>>;
  /** The checks that were red and green on one tree, with the labels that people read. */
  readonly flaky: Map<string, string>;
  /** What the test runners of a check ran on the newest commit of the run where they were heard, by check. */
  readonly testsSeen: Map<string, TestsSeen>;
  tip: string;
  /** The commits of the run, in order. */
  readonly landed: { readonly task: string; readonly commit: string }[];
  /** The tip that was published or whose publication was deferred. */
  publication: { readonly commit: string; readonly deferred: string | null } | null;
  /** The holds by role, because each role may have another agent. */
  readonly holds: Map<Role, Hold>;
  /** The false start that a role's last session made; a role whose program works has none. */
  readonly falseStarts: Map<Role, string>;
  /** How many waits for a limit or an overload came in a row, without an answer from the agent in between. */
  holdStreak: number;
  parked: { readonly reason: ParkReason; readonly why: string; readonly until: string | null } | null;
  stopped: string | null;
  /** Whether a person paused the run. */
  paused: boolean;
  /** Ids of tasks whose sessions run to their end although the run is paused: it is still pausing. */
  readonly finishing: Set<string>;
  /** The tip that was pushed or could not be. */
  push: { readonly commit: string; readonly failed: string | null } | null;
  bisected: EventOf<"bisected"> | null;
  /** The judge's questions and answers about a final tip. */
  judging: Judging | null;
  /** The judge's sessions by task; null is the plan. */
  readonly judges: Map<string | null, JudgeRecord>;
  finalVerified: EventOf<"final-verified"> | null;
  finished: "done" | "unproven" | null;
  readonly replanning: Replanning;
  usage: Spending;
  /** What each role spent. */
  readonly usageByRole: Map<Role, Spending>;
}

export function taskOf(state: RunState, id: string): TaskState {
  const task = state.tasks.get(id);
  if (task === undefined) throw new Error(`Internal error: expected a task of run ${state.run}, but was ${id}`);
  return task;
}

/** Whether nothing may start for a task, because an accepted revision changes or removes it; a task taken by hand is exempt. */
export function isBarred({ replanning: { accepted }, tasks }: RunState, id: string): boolean {
  if (accepted?.changes.some((change) => change.id === id) !== true) return false;
  return tasks.get(id)?.byHand === false;
}

export function isOver(phase: Phase): boolean {
  return phase === "integrated" || phase === "satisfied";
}

/** Whether its work is on the run branch, even if it was reopened and could not fix what it broke. */
export function hasLanded({ phase, commit }: TaskState): boolean {
  return isOver(phase) || (phase === "blocked" && commit !== null);
}

/** Whether the work of every task has landed. */
export function isComplete(state: RunState): boolean {
  return [...state.tasks.values()].every(hasLanded);
}

/** Moves a task to a phase. Nothing else does, so the indexes and counts always agree with the phases. */
export function enter(state: RunState, id: string, phase: Phase) {
  const task = taskOf(state, id);
  count(state, task.phase, -1);
  task.phase = phase;
  count(state, phase, 1);
  const isHeld = phase === "taken" || phase === "waiting";
  setMember(state.active, id, phase !== "pending" && phase !== "blocked" && !isHeld && !isOver(phase));
  setMember(state.held, id, isHeld);
  if (!state.active.has(id) && !isHeld) state.meetings.forget(id);
  setMember(state.ready, id, phase === "pending" && task.unmet === 0 && !task.byHand);
  setMember(state.called, id, phase === "pending" && task.byHand);
  setMember(state.queue, id, isQueued(phase));
  if (isOver(phase) && task.reopens === 0) meet(state, id);
}

function isQueued(phase: Phase): boolean {
  return phase === "candidate" || phase === "judging" || phase === "passed" || phase === "integrating";
}

function count(state: RunState, phase: Phase, by: 1 | -1) {
  if (phase === "blocked" || phase === "integrated" || phase === "satisfied") state.counts[phase] += by;
}

function meet(state: RunState, id: string) {
  for (const dependant of state.dependants.get(id) ?? []) {
    const task = taskOf(state, dependant);
    task.unmet -= 1;
    if (task.phase === "pending" && task.unmet === 0) state.ready.add(dependant);
  }
}

function setMember(set: Pick<Set<string>, "add" | "delete"> | Ranked, id: string, member: boolean) {
  if (member) set.add(id);
  else set.delete(id);
}
