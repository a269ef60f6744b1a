/** What identifies one process for ever on this machine: pids are reused, these three together are not. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Field 22 of /proc/<pid>/stat, in clock ticks since boot; empty where /proc does not exist. */
  readonly startTime: string;
  readonly bootId: string;
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
