import type { ParkReason, RunEvent } from "./events.ts";

/** What to do next, as data. `record` is a conclusion: nothing is left to do but to journal it. */
export type Action =
  | { readonly type: "record"; readonly event: RunEvent }
  | {
      readonly type: "baseline" | "give" | "work" | "end-session" | "collect" | "settle-scope" | "integrate";
      readonly task: string;
    }
  | { readonly type: "verify"; readonly task: string; readonly onto: string }
  /** `of` names a task, or is null for the plan. A task may be judged and verified on another tip at the same time. */
  | { readonly type: "judge"; readonly of: string | null; readonly question: string }
  | { readonly type: "end-judge"; readonly of: string | null }
  | { readonly type: "publish" | "push" | "final-verify" | "bisect" }
  /** Asks a planner for another plan, or resumes that after a crash or a wait. */
  | { readonly type: "replan"; readonly revision: number; readonly asking: readonly Asking[] }
  /** The plan that a planner works on is no longer needed: its sessions end, and what they used is recorded. */
  | { readonly type: "end-replan"; readonly revision: number; readonly why: string }
  /** Reads the plan of an accepted revision, which is in effect from then on. */
  | { readonly type: "adopt"; readonly revision: number; readonly commit: string }
  | Park;

/** A task that could not be done as it is planned. */
export interface Asking {
  readonly task: string;
  readonly why: string;
}

/** The run waits, because nothing can be done now. */
export interface Park {
  readonly type: "park";
  readonly reason: ParkReason;
  readonly why: string;
  /** When the wait is over, as the agent reported it; the run waits until then, but at least `afterMs`. */
  readonly until: string | null;
  /** The least time to wait; null means that the run waits for a person. */
  readonly afterMs: number | null;
}
