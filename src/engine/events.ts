import type { CheckEvidence, GuardEvidence, Regression } from "./evidence.ts";
import type { Judgement, Outcome, ProcessIdentity, ProgramFacts, Report, Spending, Usage } from "./session.ts";
import type { Claims } from "../plan/claims.ts";
import type { TaskChange } from "../plan/diff.ts";
import type { Role, TaskFiles } from "../plan/types.ts";

/** What the engine needs to know about a task; its text stays in the plan at the run's base. */
export interface TaskSpec {
  readonly id: string;
  readonly title: string;
  readonly depends: readonly string[];
  readonly files: TaskFiles;
  readonly complexity: "low" | "medium" | "high";
  readonly estimateMs: number | null;
  readonly role: Role;
  /** The scheduler compares what tasks may touch on the run's base. */
  readonly claims: Claims;
}

/** The settings that decide anything. They are frozen into the journal, so that a replay needs no configuration. */
export interface RunSettings {
  readonly parallel: number;
  readonly attempts: number;
  readonly escalateAfter: number;
  /** The caps of the whole run, and of each task; null means none. */
  readonly budgetUsd: number | null;
  readonly budgetTokens: number | null;
  readonly taskUsd: number | null;
  /** The cap in USD from the command line, which applies until another one is given there. */
  readonly askedUsd: number | null;
  /** The number of lanes from the command line, which applies in the same way. */
  readonly askedParallel: number | null;
  /** Which earlier checks run again on what would land: those of tasks it may affect, or all. */
  readonly reverify: "affected" | "all";
  /** What becomes of a report's `need_files`. */
  readonly scopeRequests: "grant" | "ask" | "refuse";
  readonly push: "never" | "task" | "run";
  /** What becomes of tasks that cannot be done as planned: nothing, or a planner proposes another plan, which a person or the settings accept. */
  readonly replan: "never" | "ask" | "auto";
  /** How often the run asks for another plan by itself. */
  readonly replanMax: number;
  /** The tasks asked for and what they build on; null means all. */
  readonly only: readonly string[] | null;
}

/** Why an attempt failed, in one word; the event has the details in prose. */
export type FailureReason =
  | "guard"
  | "check"
  | "judge"
  | "no-change"
  | "no-progress"
  | "crashed"
  | "timeout"
  | "idle"
  | "refused"
  | "context"
  | "conflict"
  | "regression";

export type BlockKind =
  "reported-blocked" | "reported-infeasible" | "exhausted" | "too-big" | "broken-check" | "conflicts";
export type ParkReason =
  | "blocked"
  | "question"
  | "taken"
  | "broken-check"
  | "final-red"
  | "budget"
  | "limit"
  | "overloaded"
  | "auth"
  | "agent"
  | "moved"
  /** The tasks asked for are done; the rest of the plan was not asked for. */
  | "rest";

type OfTask = { readonly task: string; readonly attempt: number };
/** A judge is asked about a task's candidate, or about the whole plan on its final tip, where the task is null and the attempt 0. */
type OfJudge = { readonly task: string | null; readonly attempt: number; readonly question: string };

/** Another plan for the run, and how it changes the tasks. */
export interface Revision {
  /** Counts the revisions of the run, from 1. */
  readonly revision: number;
  /** The commit in the control repository that contains the revised plan. */
  readonly commit: string;
  readonly planHash: string;
  readonly tasks: readonly TaskSpec[];
  readonly changes: readonly TaskChange[];
}

/** Everything that can happen in a run, one sentence each. The journal contains these events and nothing else. */
export type RunEvent =
  /** A person approved this plan, identified by its hash; recorded when the run begins, and when it resumes with settings approved since. */
  | {
      readonly type: "plan-approved";
      readonly plan: string;
      readonly planHash: string;
      readonly approvedAt: string;
      /** Their login name. */
      readonly by: string;
    }
  /** The run exists, on this base, with these tasks. */
  | {
      readonly type: "run-started";
      readonly run: string;
      /** Its place among the runs of the plan, from 1; absent in older journals. */
      readonly number?: number | undefined;
      readonly plan: string;
      readonly title: string;
      readonly goal: string;
      readonly planHash: string;
      readonly base: string;
      readonly branch: string;
      readonly settings: RunSettings;
      readonly tasks: readonly TaskSpec[];
    }
  /** A driver resumed the run after a crash or a stop, or its wait was over. */
  | {
      readonly type: "resumed";
      readonly why: "driver-started" | "wait-over" | "asked";
      readonly pid: number;
      readonly settings: RunSettings;
      readonly command?: string;
    }
  /** Opening the journal cut a torn tail; the cut bytes were kept aside. */
  | { readonly type: "journal-repaired"; readonly bytes: number; readonly keptAt: string }
  /** A task's next attempt begins on this base; journaled before anything is done for it. */
  | ({ readonly type: "attempt-started"; readonly base: string; readonly role: Role } & OfTask)
  /** The task's checks were run on its base, before any work. */
  | ({
      readonly type: "baseline";
      readonly state: "red" | "green" | "broken";
      readonly why: string;
      readonly checks: readonly CheckEvidence[];
    } & OfTask)
  /** The agent's process exists and is held; it is released after this is durable. */
  | ({
      readonly type: "agent-started";
      readonly process: ProcessIdentity;
      readonly marker: string;
      /** The agent ends its turn by itself, and its stream is followed: a pause lets the session finish. */
      readonly endsTurn?: boolean;
    } & OfTask)
  /** The session is over; the report in it is a claim. */
  | ({
      readonly type: "agent-finished";
      readonly outcome: Outcome;
      readonly report: Report | null;
      /** Why there is no report although the outbox has a file. */
      readonly reportProblem: string | null;
      /** `unpricedTokens` is missing where a newer run ended the session, because the price is not known then. */
      readonly usage: Usage & Partial<Spending>;
      /** The agent's own id of the session; absent or null where it reports none. */
      readonly sessionId?: string | null;
      /** The model of the role; absent or null where the agent chose it itself. */
      readonly model?: string | null;
      /** The agent's name in the settings; absent where a dead driver's session was ended. */
      readonly agent?: string;
      /** Absent where the agent's output does not show its tool calls. */
      readonly program?: ProgramFacts;
    } & OfTask)
  /** What an unsuccessful session left behind was saved; `commit` is null where there was nothing to save. */
  | ({
      readonly type: "work-rescued";
      readonly commit: string | null;
      readonly ref: string;
      readonly keptAt: string | null;
    } & OfTask)
  /** The workspace was gone when its session ended (deleted, or the state folder moved), which counts as an attempt, unless the session does not; or the candidate is gone (control.git was deleted), which does not count. */
  | ({ readonly type: "work-lost"; readonly path: string } & OfTask)
  /** The workspace became a commit on the attempt's base, not yet on the run branch. */
  | ({
      readonly type: "candidate-made";
      readonly commit: string;
      /** The first paths it changes. */
      readonly paths: readonly string[];
      readonly pathCount: number;
      /** The hash of what it changes against its base. */
      readonly diff: string;
    } & OfTask)
  /** An agent asks for files that its task does not name; the task waits for the answer, the others do not. */
  | ({
      readonly type: "question";
      readonly id: string;
      readonly about: "scope";
      readonly question: string;
      readonly options: readonly string[];
      readonly files: readonly string[];
    } & OfTask)
  /** A person answered an open question. */
  | { readonly type: "answered"; readonly id: string; readonly answer: string; readonly command: string }
  /** The settings answered a request for files. */
  | ({
      readonly type: "scope-decided";
      readonly files: readonly string[];
      readonly granted: boolean;
      readonly why: string;
    } & OfTask)
  /** The candidate was put on this tip, which may be a commit not yet landed; its checks are run there. */
  | ({ readonly type: "placed"; readonly tip: string; readonly commit: string; readonly tree: string } & OfTask)
  /** All checks but the judge's passed on this commit, or on the final tip of the plan; these questions are left. */
  | {
      readonly type: "checks-passed";
      readonly task: string | null;
      readonly attempt: number;
      readonly tip: string;
      readonly placed: string;
      readonly tree: string;
      readonly checks: readonly CheckEvidence[];
      readonly questions: readonly string[];
      /** Identifies the change; the same change on another tip is not judged again. */
      readonly diff: string;
    }
  /** The process of a judge exists and is held; it is released after this is durable. */
  | ({
      readonly type: "judge-started";
      /** Counts the judge's sessions about the task or the plan, from 1. */
      readonly session: number;
      readonly process: ProcessIdentity;
      readonly marker: string;
    } & OfJudge)
  /** A session of a judge is over. */
  | ({
      readonly type: "judged";
      readonly session: number;
      readonly diff: string;
      /** Null where the session left no readable judgement; `problem` says why. */
      readonly judgement: Judgement | null;
      readonly problem: string | null;
      readonly outcome: Outcome;
      readonly usage: Usage & Partial<Spending>;
      readonly durationMs: number;
      readonly sessionId?: string | null;
      readonly model?: string | null;
      readonly agent?: string;
      readonly program?: ProgramFacts;
    } & OfJudge)
  /** What the harness concluded of the attempt, with evidence. */
  | ({
      readonly type: "verdict";
      readonly result: "passed" | "failed" | "conflict";
      readonly reason: FailureReason | null;
      readonly why: string;
      readonly tip: string;
      readonly placed: string | null;
      readonly guards: readonly GuardEvidence[];
      readonly checks: readonly CheckEvidence[];
      /** The tasks a conflict is with; absent from every other verdict. */
      readonly with?: readonly string[];
    } & OfTask)
  /** The run's ref is about to move from `old` to `new`; after a crash the ref itself says whether it did. */
  | ({ readonly type: "integrating"; readonly old: string; readonly new: string } & OfTask)
  /** The verified commit is the tip of the run branch. */
  | ({ readonly type: "task-integrated"; readonly commit: string } & OfTask)
  /** The task cannot be done as planned: it outgrew an agent's context, or used up its attempts. */
  | ({ readonly type: "replan-requested"; readonly why: string } & OfTask)
  /** No further attempt starts by itself; a person has to look. */
  | ({ readonly type: "task-blocked"; readonly kind: BlockKind; readonly why: string } & OfTask)
  /** A person asked for new attempts at a task; its count starts again. */
  | { readonly type: "task-requeued"; readonly task: string; readonly command: string }
  /** A person does the task by hand; agents leave it alone. */
  | { readonly type: "task-taken"; readonly task: string; readonly command: string }
  /** The workspace of a taken task is ready. */
  | ({ readonly type: "workspace-given"; readonly path: string } & OfTask)
  /** The person is done; what is in the workspace is verified like any other work. */
  | ({ readonly type: "task-submitted"; readonly command: string } & OfTask)
  /** A person pauses the run: nothing starts any more, and only the sessions of these tasks run to their end. */
  | { readonly type: "pausing"; readonly command: string; readonly finishing: readonly string[] }
  /** The run is paused: running sessions end, and do not count as attempts. No command is named where all sessions had finished. */
  | { readonly type: "paused"; readonly command?: string }
  /** A command came too late, or asked for something impossible. */
  | {
      readonly type: "command-ignored";
      readonly command: string;
      readonly kind: string;
      readonly why: string;
      /** It was meant for an earlier driver; a sender that still waits sends it again to this one. */
      readonly stale?: true;
    }
  /** The user's branch was moved to the run's tip. */
  | { readonly type: "published"; readonly commit: string; readonly branch: string }
  /** The user's branch could not be moved now; the run does not wait for it. */
  | { readonly type: "publish-deferred"; readonly commit: string; readonly branch: string; readonly why: string }
  /** The run's tip is at the remote. */
  | { readonly type: "pushed"; readonly commit: string; readonly remote: string; readonly branch: string }
  /** The remote did not accept the run's tip after several tries; the run does not wait for it. */
  | {
      readonly type: "push-failed";
      readonly commit: string;
      readonly remote: string;
      readonly branch: string;
      readonly why: string;
      readonly tries: number;
    }
  /** The run waits: until a time, or until a person acts. */
  | { readonly type: "parked"; readonly reason: ParkReason; readonly why: string; readonly until: string | null }
  /** The driver was asked to end; everything is resumable. */
  | { readonly type: "stopped"; readonly why: string; readonly command?: string }
  /** All checks of the plan, the rules and the tasks ran on the final tip. */
  | {
      readonly type: "final-verified";
      readonly tip: string;
      readonly ok: boolean;
      readonly checks: readonly CheckEvidence[];
      readonly tree: string;
    }
  /** Red checks of the final tip were traced to the commits that turned them red. */
  | { readonly type: "bisected"; readonly tip: string; readonly regressions: readonly Regression[] }
  /** An integrated task turned a check red that was green before; it gets new attempts on the tip to fix that. */
  | {
      readonly type: "task-reopened";
      readonly task: string;
      readonly regressions: readonly Regression[];
      readonly why: string;
    }
  /** A planner is asked for another plan, because these tasks could not be done; after a crash or a wait that resumes without another event. */
  | { readonly type: "replan-started"; readonly revision: number; readonly tasks: readonly string[] }
  /** A planner proposes another plan, which takes effect only once it is accepted. */
  | ({ readonly type: "replan-proposed"; readonly usage: Spending } & Revision)
  /** There is no other plan, and the tasks stay blocked; or not yet, where the agent's service, its login or a person ended the session. */
  | {
      readonly type: "replan-failed";
      readonly revision: number;
      readonly why: string;
      readonly outcome: Outcome | null;
      /** What was used beyond what was recorded for the same revision before. */
      readonly usage: Spending;
    }
  /** A person (null: the settings) accepted a revision; the tasks that it changes or removes do not continue. */
  | ({ readonly type: "revision-accepted"; readonly by: string | null; readonly command?: string } & Revision)
  /** The accepted revision is in effect from here on. */
  | ({ readonly type: "plan-revised"; readonly by: string | null } & Revision)
  /** A revision was dropped: a person refused it, or it no longer fits the run. */
  | { readonly type: "revision-dropped"; readonly revision: number; readonly why: string; readonly command?: string }
  /** A person raised the run's cap in USD while it runs. */
  | { readonly type: "cap-raised"; readonly budgetUsd: number; readonly command: string }
  /** Every task is integrated (`done`), or some were already satisfied and prove nothing (`unproven`). */
  | { readonly type: "run-finished"; readonly outcome: "done" | "unproven"; readonly tip: string };

export type EventType = RunEvent["type"];
export type EventOf<T extends EventType> = Extract<RunEvent, { type: T }>;
