import type { AttemptKey } from "../engine/session.ts";
import type { CheckEvidence } from "../engine/evidence.ts";
import type { Check } from "../plan/types.ts";

export interface FreshOptions {
  readonly base: string;
  readonly signal: AbortSignal;
  /** Called just before what lies there is removed or put back; throws where it is another driver's by now. */
  readonly stillOwn: () => void;
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
