import type { Outcome, ProcessIdentity, Report, Usage } from "../engine/session.ts";

export type { Outcome, ProcessIdentity, Report, Usage };

/** What a session gets; the driver adds what only it knows about its agent. */
export interface SessionRequest {
  readonly command: readonly string[];
  readonly workspace: string;
  readonly outbox: string;
  readonly prompt: string;
  /** The whole environment of the agent; nothing else is inherited. */
  readonly env: Readonly<Record<string, string>>;
  readonly logFile: string;
  readonly wallMsMax: number;
  readonly idleMsMax: number;
  readonly signal: AbortSignal;
  /** Called with the process held before its first instruction; it is released when the promise resolves. */
  readonly started: (process: ProcessIdentity) => Promise<void>;
}

export interface SessionResult {
  readonly outcome: Outcome;
  readonly report: Report | null;
  /** Why a report that was written cannot be read, for the log. */
  readonly reportProblem?: string;
  readonly usage: Usage;
}

/** An agent program, as the host sees it. All knowledge of one agent lives in its driver. */
export interface AgentDriver {
  readonly run: (request: SessionRequest) => Promise<SessionResult>;
}
