import type { AttemptKey } from "../engine/session.ts";
import type { CheckEvidence } from "../engine/evidence.ts";
import type { MechanicalCheck } from "../checks/checks.ts";
import type { Check } from "../plan/types.ts";

export interface FreshOptions {
  readonly base: string;
  readonly signal: AbortSignal;
  /** Whether the folder must have all files itself, for a person, whose programs do not see layers. */
  readonly whole?: boolean;
  /** Called just before the workspace is removed or restored; throws if another driver owns it by now. */
  readonly stillOwn: () => void;
}

export interface CheckRequest {
  /** Taken one after another, so that several rooms can share them. */
  readonly checks: Iterable<Check>;
  readonly logDir: string;
  readonly signal: AbortSignal;
  /** Tests by file and title; the evidence says whether they did not fail. */
  readonly watched?: readonly string[] | undefined;
  /** Is called with what each check showed, before the next one starts. */
  readonly answered?: ((evidence: CheckEvidence, check: MechanicalCheck) => void | Promise<void>) | undefined;
}

export interface RoomRequest extends CheckRequest {
  readonly commit: string;
  /** The commit without the work that is being checked; absent if the commit has already landed. */
  readonly without?: string;
  /** Whose caches the checks may have in their HOME: those of the run's base, or also those of work that landed. */
  readonly caches?: "base" | "landed" | undefined;
  /** The keys of checks that may be asked again after later work: what these read is worth knowing. */
  readonly watch?: ReadonlySet<string> | undefined;
}

/** Work that would land on a commit, and the checks of what landed before. */
export interface UnreadRequest {
  readonly checks: readonly MechanicalCheck[];
  readonly onto: string;
  /** Two commits; what differs between them is what the landing changes. */
  readonly from: string;
  readonly to: string;
  /** What the landing changes besides. */
  readonly further?: readonly string[];
}

/** Runs checks in checkouts that the agent never touched. */
export interface RoomPort {
  /** Whether another room costs next to nothing, because rooms share their files. */
  readonly areCheap: boolean;
  /** Runs checks in a fresh checkout of a commit, which is then deleted. */
  readonly check: (request: RoomRequest) => Promise<readonly CheckEvidence[]>;
  /** Runs checks in the attempt's own workspace, before the agent gets it; the tree is then restored. */
  readonly checkBase: (
    request: CheckRequest & FreshOptions & { readonly key: AttemptKey },
  ) => Promise<readonly CheckEvidence[]>;
  /**
   * Returns the keys of those checks that were green on a commit that landed, and were seen to read nothing that differs there
   * from this work on that commit. Where it is not known what a check reads, it is not among them.
   */
  readonly unread: (request: UnreadRequest) => Promise<ReadonlySet<string>>;
  /** Says that a commit landed: what its checks showed is true of the run's branch now, and later rooms may have the caches that they left. */
  readonly landed: (commit: string) => void;
  /** Ends processes that a dead driver's checks left running, and removes their rooms. */
  readonly sweep: () => Promise<void>;
}
