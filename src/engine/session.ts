/** Identifies a process on this machine for good: pids are reused, these three together are not. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Field 22 of /proc/<pid>/stat, in clock ticks since boot; empty where /proc does not exist. */
  readonly startTime: string;
  readonly bootId: string;
}

/** What an agent reports about a session. Where it reports no cost, `usd` is 0, which does not mean that there was none: see `Spending`. */
export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly usd: number;
}

/** What was used, and how much of it has no known price. */
export interface Spending extends Usage {
  /** Tokens without a known price: the agent reported no cost, and the settings have no price. `usd` leaves them out. */
  readonly unpricedTokens: number;
}

/** How a session ended. The agent's driver sets it; it is never read from prose. */
export type Outcome =
  | { readonly kind: "ok" }
  | { readonly kind: "limit"; readonly until: string | null }
  | {
      readonly kind:
        | "refused"
        | "auth"
        | "overloaded"
        | "context"
        | "timeout"
        | "idle"
        | "crashed"
        | "interrupted"
        /** The agent cannot work as it is set up: an unknown model, a wrong option. Another session would do no better. */
        | "misconfigured"
        /** Stint ended the session, because a cap was reached while it ran. */
        | "budget";
      readonly detail: string;
    };

/** How far an agent's program came in a session. Only known of agents whose output shows their tool calls. */
export interface ProgramFacts {
  readonly durationMs: number;
  /** Whether it called a tool or changed a file. */
  readonly usedTools: boolean;
  /** What it printed last besides its events, where it failed without a final one. */
  readonly lastWords?: string;
  /** Its failure without ids, ports, times and counts, where it crashed within seconds and before any tool call. */
  readonly falseStart?: string;
  readonly version?: string;
  /** A command by which a person sees whether it works. */
  readonly tryWith?: string;
  /** The variable of the user's that had its key or token; absent if it used a login. */
  readonly keyFrom?: string;
}

/** What an executor claims in its outbox. */
export interface Report {
  readonly status: "done" | "blocked" | "infeasible";
  readonly summary: string;
  readonly reason: string;
  readonly needFiles: readonly string[];
  readonly notes: string;
}

/** A judge's answer to one question. It can only refuse: a pass proves nothing by itself. */
export interface Judgement {
  readonly pass: boolean;
  readonly why: string;
}

export interface AttemptKey {
  readonly task: string;
  readonly attempt: number;
  /** The number of a judge's session; absent for the attempt itself. */
  readonly judge?: number;
}
