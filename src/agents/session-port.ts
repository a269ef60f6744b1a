import type { AttemptKey, Judgement, Outcome, ProcessIdentity, Report, Spending } from "../engine/session.ts";
import type { Role } from "../plan/types.ts";

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

/** A session as the journal of a driver that died has it. */
export interface RecordedSession {
  readonly role: Role;
  readonly identity: ProcessIdentity;
  readonly marker: string;
}
