import type { Attempt } from "./attempt.ts";
import type { CheckEvidence, GuardEvidence, Regression } from "./evidence.ts";
import type { BlockKind, EventOf, FailureReason, ParkReason, Revision, RunSettings, TaskSpec } from "./events.ts";
import type { Judgement, Spending } from "./session.ts";
import type { Meetings } from "./meetings.ts";
import type { Ranked } from "./ranked.ts";
import type { TestsSeen } from "./tests-seen.ts";
import type { Claims } from "../plan/claims.ts";
import type { Role } from "../plan/types.ts";

/**
 * Where a task stands; each phase that is not an end names what the host does next.
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

/** What the next attempt is told of the last one. */
export interface Feedback {
  readonly attempt: number;
  readonly reason: FailureReason | null;
  readonly why: string;
  readonly guards: readonly GuardEvidence[];
  readonly checks: readonly CheckEvidence[];
}

/** A change that all but a judge agrees with. What a judge said of it holds wherever it is put. */
export interface Judging {
  readonly diff: string;
  readonly questions: readonly string[];
  /** The latest commit on which all other checks were green. */
  readonly checked: Pick<EventOf<"checks-passed">, "tip" | "placed" | "tree" | "checks">;
  /** By question. */
  readonly answers: Map<string, Judgement & { readonly durationMs: number }>;
  /** By question, why each of its sessions left no judgement. */
  readonly silences: Map<string, readonly string[]>;
}

/** The judge's sessions of one task, or of the plan. */
export interface JudgeRecord {
  /** How many there were. */
  readonly sessions: number;
  /** The latest, while nobody has seen its end. */
  readonly open: EventOf<"judge-started"> | null;
}

/** What a person is asked; its id is what they name in their answer. */
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
  /** How many attempts there were, also those that do not count. */
  attempts: number;
  /** The latest one; null before the first, and after a revision changed the task. */
  attempt: Attempt | null;
  /** Attempts that count against the limit. */
  spent: number;
  conflicts: number;
  /** The base whose baseline was red, so that a further attempt on it need not ask again. */
  redOn: string | null;
  /** The checks that were red there, by key, with the tests that failed. */
  redChecks: ReadonlyMap<string, readonly string[]>;
  /** What a judge was asked and said of the candidate, kept for one that is the same. */
  judging: Judging | null;
  commit: string | null;
  feedback: Feedback | null;
  /** What the last candidate that failed was, to see one that is the same. */
  failed: { readonly base: string; readonly diff: string } | null;
  /** Sessions that asked for files since a person last gave it new attempts: the settings alone do not grant for ever. */
  requests: number;
  /** Files beyond its own that it may create or change. */
  granted: readonly string[];
  /** What its sessions asked and were answered, by a person or by the settings, for the next attempt. */
  answers: readonly Answer[];
  /** A person does it by hand. */
  byHand: boolean;
  /** Checks of others that its commit turned red and that it has to mend. */
  mend: readonly Regression[];
  reopens: number;
  blocked: { readonly kind: BlockKind; readonly why: string } | null;
  /** Whether a re-plan of it was asked for. */
  replanAsked: boolean;
  /** The revision that was asked for because of the block it stands in, and why that came to nothing. */
  replan: { readonly revision: number; readonly failed: string | null } | null;
  usage: Spending;
}

/** Why no new session of a role may start: its agent's limit, overload, missing login or wrong settings. */
export interface Hold {
  readonly reason: "limit" | "overloaded" | "auth" | "agent";
  readonly until: string | null;
  readonly why: string;
}

/** How the plan of a run is revised. The state's own `planHash` stays that of the plan it was started with. */
export interface Replanning {
  /** The revision that holds; null while that is the plan the run was started with. */
  inForce: Pick<Revision, "revision" | "commit" | "planHash"> | null;
  /** The number of the latest revision, whoever asked for it. */
  latest: number;
  /** How many the run asked for by itself. */
  asked: number;
  /** What a planner is asked for now, and what was recorded as spent on it. */
  open: { readonly revision: number; readonly tasks: readonly string[]; readonly spent: Spending } | null;
  proposal: Revision | null;
  /** Accepted, while the tasks that it changes or removes still hold something. */
  accepted: (Revision & { readonly by: string | null }) | null;
  /** Commits of revisions that were accepted, refused or overtaken: no approval of them counts any more. */
  readonly spent: Set<string>;
  /** By task that a revision took away or changed, how far it had come: one that comes back goes on counting. */
  readonly retired: Map<string, Pick<TaskState, "attempts" | "usage">>;
}

/**
 * The whole state of a run, folded from its journal and from nothing else.
 * It is owned by its fold: `evolve` updates it in place, so that an event costs the same with ten thousand tasks as with ten.
 */
export interface RunState extends Omit<EventOf<"run-started">, "type" | "settings" | "tasks"> {
  settings: RunSettings;
  /** The tasks that were last asked of agents, null for all: work by hand in between asks for none and changes nothing. */
  asked: readonly string[] | null;
  tasks: ReadonlyMap<string, TaskState>;
  dependants: ReadonlyMap<string, readonly string[]>;
  /** Ids of tasks in a phase between started and integrating that needs no person, or exhausted; in the order they got there. */
  readonly active: Set<string>;
  /** Ids of tasks begun that wait for a person: taken by hand, or for an answer. */
  readonly held: Set<string>;
  /** Ids of pending tasks whose dependencies are all there and which agents may do, best first. */
  ready: Ranked;
  /** Which tasks might touch the same files. */
  meetings: Meetings;
  /** Ids of pending tasks that a person has taken. */
  readonly called: Set<string>;
  /** Ids that wait for verification and integration, in order. */
  readonly queue: Set<string>;
  readonly counts: { integrated: number; satisfied: number; blocked: number };
  /** The open ones, by id. */
  readonly questions: Map<string, Question>;
  /** Commands from outside that were journaled, accepted or not: none is applied twice. */
  readonly commands: Set<string>;
  /** By tree, then by check: what was green there. */
  readonly proven: Map<string, Map<string, CheckEvidence>>;
  /** By check, as people read it: those that were red and green on one tree. */
  readonly flaky: Map<string, string>;
  /** By check: what its test runners ran on the newest commit of the run that tells. */
  readonly testsSeen: Map<string, TestsSeen>;
  tip: string;
  /** The commits of the run in order. */
  readonly landed: { readonly task: string; readonly commit: string }[];
  /** The tip that was published or whose publication was deferred. */
  publication: { readonly commit: string; readonly deferred: string | null } | null;
  /** By the role whose session met it: another role may have another agent. */
  readonly holds: Map<Role, Hold>;
  /** Waits for a limit or overload in a row, with no answer of the agent in between. */
  holdStreak: number;
  parked: { readonly reason: ParkReason; readonly why: string; readonly until: string | null } | null;
  stopped: string | null;
  paused: boolean;
  /** The tip that was pushed or could not be. */
  push: { readonly commit: string; readonly failed: string | null } | null;
  bisected: EventOf<"bisected"> | null;
  /** What a judge was asked and said of a final tip. */
  judging: Judging | null;
  /** By task; null is the plan. */
  readonly judges: Map<string | null, JudgeRecord>;
  finalVerified: EventOf<"final-verified"> | null;
  finished: "done" | "unproven" | null;
  readonly replanning: Replanning;
  usage: Spending;
  /** By the role that spent it. */
  readonly usageByRole: Map<Role, Spending>;
}

export function taskOf(state: RunState, id: string): TaskState {
  const task = state.tasks.get(id);
  if (task === undefined) throw new Error(`Internal error: expected a task of run ${state.run}, but was ${id}`);
  return task;
}

/** Whether nothing may be begun for a task, because an accepted revision changes or removes it; what a person took stays theirs. */
export function isBarred({ replanning: { accepted }, tasks }: RunState, id: string): boolean {
  if (accepted?.changes.some((change) => change.id === id) !== true) return false;
  return tasks.get(id)?.byHand === false;
}

export function isOver(phase: Phase): boolean {
  return phase === "integrated" || phase === "satisfied";
}

/** Whether its work is on the run branch: also where it was reopened and could not mend what it broke. */
export function hasLanded({ phase, commit }: TaskState): boolean {
  return isOver(phase) || (phase === "blocked" && commit !== null);
}
