import type { SessionEnd } from "../agents/session-port.ts";
import type { Result } from "../base/result.ts";
import type { ProcessIdentity, Spending } from "../engine/session.ts";
import type { AssessedDraft } from "./machine/assessment.ts";
import type { Answered, Asked, DraftWord, PlanningEvent, PlanningPhase } from "./machine/events.ts";
import type { Finding, Inquiry, SessionOutput } from "./machine/session-output.ts";
import type { PlanningState } from "./machine/state.ts";
import type { FittedMap } from "./map/fit.ts";

/** Everything a planning session does to the world goes through these ports. A run that revises its plan brings its own. */
export interface PlanningPorts {
  readonly sessions: PlannerSessionPort;
  /** Writes a file for people, without the user's secrets. */
  readonly write: (path: string, text: string) => void;
  readonly map: () => Promise<FittedMap>;
  readonly assess: (output: SessionOutput) => Promise<AssessedDraft>;
  /** Puts an accepted plan where it belongs, and returns the paths that changed. */
  readonly handOver: (assessed: AssessedDraft) => Promise<Result<readonly string[]>>;
  /** Null in a headless session. */
  readonly dialog: Dialog | null;
}

/** Runs the sessions of planner and reviewer. A run that revises its plan counts them against its own caps. */
export interface PlannerSessionPort {
  readonly run: (request: PlannerSession) => Promise<PlannerSessionEnd>;
  /** Proves a recorded session dead, or kills it; returns what it had used. */
  readonly end: (open: NonNullable<PlanningState["open"]>) => Promise<Spending>;
  /** Removes the clone of a session, once everything worth keeping was copied out of it. */
  readonly discard: (session: Pick<PlannerSession, "phase" | "session">) => Promise<void>;
}

/** A request for one session of an agent. */
export interface PlannerSession {
  readonly phase: PlanningPhase;
  /** Counts from 1 over all phases. */
  readonly session: number;
  /** Counts from 1 within the phase. */
  readonly nth: number;
  readonly prompt: string;
  readonly inbox: ReadonlyMap<string, Uint8Array>;
  readonly signal: AbortSignal;
  /** Called while the process is held back; when this returns, its record is durable. */
  readonly started: (process: ProcessIdentity, marker: string) => void;
}

export interface PlannerSessionEnd extends SessionEnd {
  readonly output: SessionOutput;
  /** Paths that it changed in its throwaway clone. */
  readonly dirty: readonly string[];
}

/** The questions of a planning session, in the order of asking. */
export interface Questions {
  readonly answered: readonly Asked[];
  readonly open: readonly Inquiry[];
}

/** How a person takes part in a planning session. */
export interface Dialog {
  /**
   * Returns answers to open questions, or other answers to those that were answered before; null where no person can
   * answer now: the questions are in a file, and the planning session waits.
   */
  readonly ask: (questions: Questions) => Promise<readonly Answered[] | null>;
  /** Shows the draft and returns what the person decides; null where no person can decide now. */
  readonly review: (shown: Reviewed) => Promise<DraftDecision | null>;
}

/** What a person sees before deciding about a draft. */
export interface Reviewed {
  readonly plan: string;
  /** The folder of its documents, where an editor can open them. */
  readonly folder: string;
  readonly assessed: AssessedDraft;
  /** What the critique found; null where there was none. */
  readonly findings: readonly Finding[] | null;
  /** The plan that is revised, by name inside its folder: only what differs from it is shown; null for a new one. */
  readonly revises: ReadonlyMap<string, Uint8Array> | null;
  /** No session is left that could make another draft. */
  readonly isLast: boolean;
}

/** What a person decides about a draft. */
export interface DraftDecision {
  readonly word: DraftWord;
  /** What a revision is to change; empty for any other word. */
  readonly words: string;
}

/** Receives every event of a planning session once it is durable. */
export type PlanningObserver = (event: PlanningEvent & { readonly at: string }) => void;
