/** What identifies one process for ever on this machine: pids are reused, these three together are not. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Field 22 of /proc/<pid>/stat, in clock ticks since boot; empty where /proc does not exist. */
  readonly startTime: string;
  readonly bootId: string;
}

/** What an agent tells of a session. No money told is 0, which is not the same as no cost: see `Spending`. */
export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly usd: number;
}

/** What was used, with what is known of its price. */
export interface Spending extends Usage {
  /** Tokens whose price nobody knows: the agent told no money and no price is set. `usd` leaves them out. */
  readonly unpricedTokens: number;
}

/** How a session ended, typed by the driver; never read from prose. */
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
        /** The agent cannot work as it is set up: an unknown model, a wrong option. No further session would do better. */
        | "misconfigured"
        /** Stint ended it, because a cap was reached while it ran. */
        | "budget";
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

/** What a judge says to one question. It can only refuse: a pass proves nothing by itself. */
export interface Judgement {
  readonly pass: boolean;
  readonly why: string;
}

export interface AttemptKey {
  readonly task: string;
  readonly attempt: number;
  /** Which session of a judge about it; absent for the attempt itself. */
  readonly judge?: number;
}
