import type { SessionPort } from "../agents/session-port.ts";
import type { TaskSpec } from "../engine/events.ts";
import type { AttemptKey, Outcome, Spending } from "../engine/session.ts";
import type { ChangedText } from "../guards/content-guard.ts";
import type { TaskChange } from "../plan/diff.ts";
import type { Plan, PlanFiles } from "../plan/types.ts";
import type { ClockPort } from "../project/machine.ts";
import type { Inputs } from "../prompts/executor.ts";
import type { FreshOptions, RoomPort } from "../workspace/room-port.ts";
import type { CommandPort, FindApproval } from "./commands/command-port.ts";

/** Everything a run does to the world goes through these ports. The simulator replaces them and nothing else. */
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
  /** Runs in the background. Nothing waits for it, and what a crash leaves is removed later. */
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
  /** The tree of a commit: checks that passed on the same tree need not be run again. */
  readonly treeOf: (commit: string) => Promise<string>;
  /** A commit like one, with some paths as another has them; no ref names it. */
  readonly part: (range: { readonly from: string; readonly to: string }, paths: ReadonlySet<string>) => Promise<string>;
  /** The commit that would land: the candidate on the tip, with the task's box ticked. */
  readonly place: (request: PlaceRequest) => Promise<Placed>;
  /** Compare-and-swap of the run's ref; returns what the ref was when it was not `old`. */
  readonly swapTip: (next: string, old: string) => Promise<"moved" | { readonly actual: string }>;
  readonly contains: (ref: string, commit: string) => Promise<boolean>;
  readonly publish: (commit: string) => Promise<{ readonly deferred: string | null }>;
  /** Pushes to the run's branch at the user's remote; `lasting` where trying again would not help. */
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
  /** The checks of a quick plan, which only the commit's message shows; none for any other plan. */
  readonly typedChecks: readonly string[];
  readonly at: string;
}

/** Makes another plan for a run whose tasks could not be done. A proposal takes effect only once it is accepted. */
export interface PlannerPort {
  /**
   * Continues where a driver that died left off with the same revision; what was proposed for it before is proposed again.
   * Where the signal has aborted already, it only ends what is left of its sessions and reports what they used.
   */
  readonly propose: (request: {
    /** Counted from 1. */
    readonly revision: number;
    /** The tasks that could not be done, and why. */
    readonly asking: readonly { readonly task: string; readonly why: string }[];
    readonly signal: AbortSignal;
    /** Is called, while sessions run, with all that was used for this revision so far, also by earlier drivers. */
    readonly used: (spending: Spending) => void;
  }) => Promise<Proposed>;
  readonly approved: FindApproval;
  /** The plan and its documents as a revision has them. */
  readonly read: (commit: string) => Promise<{ readonly plan: Plan; readonly documents: PlanFiles }>;
}

/** The result of a request for another plan. Without a plan, `outcome` says how the agent's service or login ended the session. */
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

/** Files for people and tools beside the journal; never read back to decide anything. */
export interface DocumentPort {
  /** The run's own folder. */
  readonly runDir: string;
  readonly attemptDir: (key: AttemptKey) => string;
  readonly write: (path: string, text: string) => void;
}
