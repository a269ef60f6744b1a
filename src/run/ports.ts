import type { ApprovedRevision, Command } from "../engine/commands.ts";
import type { CheckEvidence } from "../engine/evidence.ts";
import type { Judgement, Outcome, ProcessIdentity, Report, Spending } from "../engine/session.ts";
import type { TaskSpec } from "../engine/events.ts";
import type { TaskChange } from "../plan/diff.ts";
import type { Check, Plan, PlanFiles, Role } from "../plan/types.ts";
import type { Inputs } from "../prompts/briefing.ts";
import type { Failure, Result } from "../base/result.ts";
import type { ChangedText } from "../guards/contents.ts";

/** Everything the host does to the world goes through these; a simulator replaces them and nothing else. */
export interface Ports {
  readonly clock: ClockPort;
  readonly repo: RepoPort;
  readonly rooms: RoomPort;
  readonly sessions: SessionPort;
  readonly planner: PlannerPort;
  readonly documents: DocumentPort;
  readonly commands: CommandPort;
  /** Waits for clean-up that nothing else waits for. */
  readonly settle: () => Promise<void>;
}

export interface ClockPort {
  /** By the wall clock, which anyone may set. */
  readonly now: () => string;
  /** Milliseconds, by a clock that nobody can set. */
  readonly elapsed: () => number;
  /** Calls `wake` after that many milliseconds, unless the returned function is called first. */
  readonly after: (ms: number, wake: () => void) => () => void;
  /** Resolves at that time or when the signal aborts, whichever is first. */
  readonly waitUntil: (time: string, signal: AbortSignal) => Promise<void>;
}

export interface AttemptKey {
  readonly task: string;
  readonly attempt: number;
  /** Which session of a judge about it; absent for the attempt itself. */
  readonly judge?: number;
}

export interface FreshOptions {
  readonly base: string;
  readonly signal: AbortSignal;
  /** Called just before what lies there is removed or put back; throws where it is another driver's by now. */
  readonly stillOwn: () => void;
}

/** A changed path between two trees; a rename is D + A, a type change is M. */
export interface ChangedPath {
  readonly status: "A" | "M" | "D";
  readonly path: string;
  readonly lines: number;
  /** It is a symbolic link now. */
  readonly isLink?: boolean;
}

/** What the workspace of an attempt became. */
export type Collected =
  | {
      readonly kind: "candidate";
      readonly commit: string;
      readonly paths: readonly string[];
      /** The same for the same change. */
      readonly diff: string;
    }
  | { readonly kind: "empty" }
  | { readonly kind: "refused"; readonly problems: readonly { readonly path: string; readonly why: string }[] }
  | { readonly kind: "missing" };

export interface Placement {
  readonly commit: string;
  readonly tree: string;
  readonly changes: readonly ChangedPath[];
}

export type Placed =
  | { readonly kind: "placed"; readonly placement: Placement }
  | { readonly kind: "conflict"; readonly paths: readonly string[] }
  | { readonly kind: "unticked"; readonly why: string };

/** The run's ref and commits in the control repo, and the attempts' workspaces made from them. */
export interface RepoPort {
  /** Makes sure of a workspace at the base that no agent has seen; from then on it is the agent's. */
  readonly giveWorkspace: (key: AttemptKey, options: FreshOptions) => Promise<void>;
  /** Saves the workspace under the attempt's rescue ref; what cannot become a commit is said, never dropped. */
  readonly collect: (
    key: AttemptKey,
    options: { readonly base: string; readonly signal: AbortSignal },
  ) => Promise<Collected>;
  /** In the background: nothing waits for it, and what remains after a crash is removed later. */
  readonly removeWorkspace: (key: AttemptKey) => void;
  /** The files that a task's source_docs mean at a commit. */
  readonly inputs: (commit: string, sourceDocs: readonly string[]) => Promise<Inputs>;
  readonly rescueRef: (key: AttemptKey) => string;
  readonly workspacePath: (key: AttemptKey) => string;
  readonly changes: (from: string, to: string) => Promise<readonly ChangedPath[]>;
  /** The texts of changed files before and after, for guards that read them. */
  readonly texts: (
    range: { readonly from: string; readonly to: string },
    changes: readonly ChangedPath[],
  ) => Promise<readonly ChangedText[]>;
  /** A change as text, cut where it is too long. */
  readonly diff: (range: {
    readonly from: string;
    readonly to: string;
  }) => Promise<{ readonly text: string; readonly truncated: boolean }>;
  /** What a commit holds: checks that were green on the same tree need not be run again. */
  readonly treeOf: (commit: string) => Promise<string>;
  /** A commit like one, with some paths as another has them; no ref names it. */
  readonly part: (range: { readonly from: string; readonly to: string }, paths: ReadonlySet<string>) => Promise<string>;
  /** The commit that would land: the candidate on the tip, with the task's box ticked. */
  readonly place: (request: PlaceRequest) => Promise<Placed>;
  /** Compare-and-swap of the run's ref; returns what the ref was when it was not `old`. */
  readonly swapTip: (next: string, old: string) => Promise<"moved" | { readonly actual: string }>;
  readonly contains: (ref: string, commit: string) => Promise<boolean>;
  readonly publish: (commit: string) => Promise<{ readonly deferred: string | null }>;
  /** To the run's branch at a remote of the user's; `lasting` where trying again would not help. */
  readonly push: (
    commit: string,
    options: { readonly remote: string; readonly signal: AbortSignal },
  ) => Promise<{ readonly refused: string | null; readonly lasting: boolean }>;
}

export interface PlaceRequest extends AttemptKey {
  readonly base: string;
  readonly tip: string;
  readonly candidate: string;
  readonly title: string;
  readonly summary: string;
  readonly checkCount: number;
  readonly at: string;
}

export interface CheckRequest {
  /** Taken one after another, so that several rooms can share what is left. */
  readonly checks: Iterable<Check>;
  readonly logDir: string;
  readonly signal: AbortSignal;
  /** Tests by file and title, of which the evidence is to say whether they did not fail. */
  readonly watched?: readonly string[] | undefined;
}

export interface RoomRequest extends CheckRequest {
  readonly commit: string;
  /** The commit without the work that is judged there; absent where what landed is looked at. */
  readonly without?: string;
}

/** Where checks are run: checkouts the agent never touched. */
export interface RoomPort {
  /** In a fresh checkout of a commit, which is then thrown away. */
  readonly check: (request: RoomRequest) => Promise<readonly CheckEvidence[]>;
  /** In the attempt's own workspace, before the agent gets it; the tree is then put back. */
  readonly checkBase: (
    request: CheckRequest & FreshOptions & { readonly key: AttemptKey },
  ) => Promise<readonly CheckEvidence[]>;
  /** Ends what a dead driver's checks left running and removes their rooms. */
  readonly sweep: () => Promise<void>;
}

export interface SessionPort {
  readonly run: (request: {
    readonly key: AttemptKey;
    readonly role: Role;
    readonly prompt: string;
    readonly inbox: ReadonlyMap<string, Uint8Array>;
    readonly signal: AbortSignal;
    /** Called while the process is held; when this returns, its record is durable and it is released. */
    readonly started: (process: ProcessIdentity, marker: string) => void;
    /** Told, while the session runs, of all that it has used so far. */
    readonly used: (spending: Spending) => void;
    /** Told when the agent has said its last word: its work is done, and the session is about to end. */
    readonly lastWord?: (() => void) | undefined;
  }) => Promise<SessionEnd>;
  /** Proves a recorded session dead, or kills it and all it started; returns what it had used. */
  readonly end: (key: AttemptKey, recorded: RecordedSession) => Promise<Spending>;
}

export interface SessionEnd {
  readonly outcome: Outcome;
  readonly report: Report | null;
  readonly reportProblem: string | null;
  /** Never less than `used` was told, however the session ended. */
  readonly usage: Spending;
  readonly sessionId: string | null;
  /** As the role has it; null where the agent chose by itself. */
  readonly model: string | null;
  /** By its name in the settings; absent where there was none. */
  readonly agent?: string;
  /** What a judge left, or why that is none; of judges' sessions only. */
  readonly judgement?: Judgement | { readonly problem: string };
}

/** Makes another plan for a run, of which some tasks could not be done; what it proposes holds only once somebody agrees. */
export interface PlannerPort {
  /**
   * Goes on where a driver that died left off with the same revision; what was proposed for it before is proposed again.
   * Where the signal has aborted already, it only ends what is left of its sessions and tells what they used.
   */
  readonly propose: (request: {
    /** From 1. */
    readonly revision: number;
    /** The tasks that could not be done, and why. */
    readonly asking: readonly { readonly task: string; readonly why: string }[];
    readonly signal: AbortSignal;
    /** Told, while sessions run, of all that was used for this revision so far, by earlier drivers, too. */
    readonly used: (spending: Spending) => void;
  }) => Promise<Proposed>;
  /** A person's approval of exactly this revision, read anew each time; null where there is none. */
  readonly approved: (wanted: { readonly commit: string; readonly planHash: string }) => ApprovedRevision | null;
  /** The plan and its documents as a revision has them. */
  readonly read: (commit: string) => Promise<{ readonly plan: Plan; readonly documents: PlanFiles }>;
}

/** What became of a request for another plan; without a plan, `outcome` tells of a session that the agent's service or login ended. */
export type Proposed = {
  /** All that was used for this revision, by earlier drivers, too. */
  readonly usage: Spending;
} & (
  | {
      readonly kind: "proposal";
      /** Holds the revised plan; kept alive by its maker. */
      readonly commit: string;
      readonly planHash: string;
      readonly tasks: readonly TaskSpec[];
      readonly changes: readonly TaskChange[];
    }
  | { readonly kind: "none"; readonly why: string; readonly outcome: Outcome | null }
);

/** A session as the journal of a driver that died has it. */
export interface RecordedSession {
  readonly role: Role;
  readonly identity: ProcessIdentity;
  readonly marker: string;
}

/** Commands that other processes send to this run; their files are taken, never followed or waited for. */
export interface CommandPort {
  /** What has arrived and can no longer be withdrawn, also what a driver that died had taken. */
  readonly take: () => readonly ArrivedCommand[];
  /** Forgets one that the journal has. */
  readonly remove: (id: string) => void;
  /** Puts away what is no command, for people to look at. */
  readonly setAside: (id: string) => void;
  /** Calls `wake` whenever something may have arrived, until the returned function is called. */
  readonly watch: (wake: () => void) => () => void;
}

export interface ArrivedCommand {
  /** As its file is named. */
  readonly id: string;
  readonly command: Result<Command, Failure<"no-command">>;
}

/** Files for people and tools beside the journal; never read back to decide anything. */
export interface DocumentPort {
  /** The run's own folder. */
  readonly runDir: string;
  readonly attemptDir: (key: AttemptKey) => string;
  readonly write: (path: string, text: string) => void;
}
