import type { EventOf } from "./events.ts";
import type { Outcome, ProcessIdentity, Report } from "./session.ts";
import type { Role } from "../plan/types.ts";

/** One try at a task, by an agent or by a person. The task keeps it until its next attempt starts. */
export interface Attempt {
  /** Rises with each attempt of the task, also with those that do not count. */
  readonly number: number;
  readonly base: string;
  readonly role: Role;
  /** The agent's process; null until it exists, and where a person does the task. */
  process: { readonly identity: ProcessIdentity; readonly marker: string } | null;
  /** Whether a pause lets its session finish. */
  endsTurn: boolean;
  outcome: Outcome | null;
  report: Report | null;
  /** The false start that the last session of its role had made when this one started; null where it had made none. */
  readonly failedBefore: string | null;
  /** Whether its session was a false start that does not count. */
  isFalseStart: boolean;
  /** Files beyond the task's own that the session asked for, until that is decided. */
  request: readonly string[] | null;
  /** Why those files were refused; null where they were not. */
  refused: string | null;
  candidate: Candidate | null;
  /** Where the candidate was last put. */
  placement: Placement | null;
  /** A verdict of failure on a commit that has not landed yet: it counts only if that commit lands. */
  ahead: EventOf<"verdict"> | null;
  /** The commit that passed on a tip; once the ref is about to move, the move itself. */
  verified: { readonly tip: string; readonly commit: string } | null;
}

/** The commit made from an attempt's workspace. */
export interface Candidate {
  readonly commit: string;
  /** The first paths it changes, to name the tasks that a conflict is with. */
  readonly paths: readonly string[];
  /** The hash of what it changes against its base. */
  readonly diff: string;
}

/** A candidate as a commit on another one. */
export interface Placement {
  readonly onto: string;
  readonly commit: string;
  readonly tree: string;
}

/** Makes the state of an attempt that has just started. */
export function newAttempt(
  { attempt: number, base, role }: EventOf<"attempt-started">,
  failedBefore: string | null = null,
): Attempt {
  return {
    number,
    base,
    role,
    failedBefore,
    isFalseStart: false,
    process: null,
    endsTurn: false,
    outcome: null,
    report: null,
    request: null,
    refused: null,
    ...noCandidate,
  };
}

/** An attempt has none of these before its workspace becomes a candidate. */
export const noCandidate = { candidate: null, placement: null, ahead: null, verified: null } as const;

/** Returns the attempt of a task that has begun; a task without one is a bug. */
export function attemptOf({
  spec,
  attempt,
}: {
  readonly spec: { readonly id: string };
  readonly attempt: Attempt | null;
}) {
  if (attempt === null) throw new Error(`Internal error: expected an attempt of ${spec.id}, but was null`);
  return attempt;
}
