/** What identifies one process for ever on this machine: pids are reused, these three together are not. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Field 22 of /proc/<pid>/stat, in clock ticks since boot; empty where /proc does not exist. */
  readonly startTime: string;
  readonly bootId: string;
}

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

export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly usd: number;
}

/** How a session ended, typed by the driver; never read from prose. */
export type Outcome =
  | { readonly kind: "ok" }
  | { readonly kind: "limit"; readonly until: string | null }
  | {
      readonly kind: "refused" | "auth" | "overloaded" | "context" | "timeout" | "idle" | "crashed" | "interrupted";
      readonly detail: string;
    };

/** What an executor claims in its outbox. */
export interface Report {
  readonly status: "done" | "blocked" | "infeasible";
  readonly summary: string;
  readonly reason: string;
  readonly needFiles: readonly string[];
  readonly notes: string;
}

export interface SessionResult {
  readonly outcome: Outcome;
  readonly report: Report | null;
  readonly usage: Usage;
}

/** An agent program, as the host sees it. All knowledge of one agent lives in its driver. */
export interface AgentDriver {
  readonly run: (request: SessionRequest) => Promise<SessionResult>;
}
