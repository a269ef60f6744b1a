import type {
  AttemptKey,
  Judgement,
  Outcome,
  ProcessIdentity,
  ProgramFacts,
  Report,
  Spending,
} from "../engine/session.ts";
import type { Role } from "../plan/types.ts";

/** Runs sessions of agents, for runs and planning sessions alike. */
export interface SessionPort {
  readonly run: (request: {
    readonly key: AttemptKey;
    readonly role: Role;
    readonly prompt: string;
    readonly inbox: ReadonlyMap<string, Uint8Array>;
    readonly signal: AbortSignal;
    /** Called while the process is held; when this returns, its record is durable and it is released. `endsTurn` is a fact of its driver. */
    readonly started: (process: ProcessIdentity, marker: string, endsTurn: boolean) => void;
    /** Receives, while the session runs, all that it has used so far. */
    readonly used: (spending: Spending) => void;
    /** Called at the agent's final event: its work is done, and the session is about to end. */
    readonly lastWord?: (() => void) | undefined;
  }) => Promise<SessionEnd>;
  /** Proves a recorded session dead, or kills it and all it started; returns what it had used. */
  readonly end: (key: AttemptKey, recorded: RecordedSession) => Promise<Spending>;
}

export interface SessionEnd {
  readonly outcome: Outcome;
  readonly report: Report | null;
  readonly reportProblem: string | null;
  /** Never less than `used` received, however the session ended. */
  readonly usage: Spending;
  readonly sessionId: string | null;
  /** The model that the role names; null where the agent chose by itself. */
  readonly model: string | null;
  /** The agent's name in the settings; absent where there was none. */
  readonly agent?: string;
  /** Absent where the agent's output does not show its tool calls. */
  readonly program?: ProgramFacts;
  /** What a judge wrote, or why there is none; only in sessions of judges. */
  readonly judgement?: Judgement | { readonly problem: string };
}

/** A session as the journal of a dead driver recorded it. */
export interface RecordedSession {
  readonly role: Role;
  readonly identity: ProcessIdentity;
  readonly marker: string;
}
