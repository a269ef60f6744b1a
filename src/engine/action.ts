import type { ParkReason, RunEvent } from "./events.ts";

/** What to do next, as data. `record` is a conclusion that needs no doing, only a place in the journal. */
export type Action =
  | { readonly type: "record"; readonly event: RunEvent }
  | {
      readonly type: "baseline" | "give" | "work" | "end-session" | "collect" | "settle-scope" | "integrate";
      readonly task: string;
    }
  | { readonly type: "verify"; readonly task: string; readonly onto: string }
  /** Of a task, or of the plan where that is null: a task may be judged and verified on another tip at once. */
  | { readonly type: "judge"; readonly of: string | null; readonly question: string }
  | { readonly type: "end-judge"; readonly of: string | null }
  | { readonly type: "publish" | "push" | "final-verify" | "bisect" }
  /** A planner is asked for another plan, or asked on after a crash or a wait. */
  | { readonly type: "replan"; readonly revision: number; readonly asking: readonly Asking[] }
  /** Nobody needs the plan any more that a planner is asked for: what is left of its sessions ends, and what they used is recorded. */
  | { readonly type: "end-replan"; readonly revision: number; readonly why: string }
  /** The plan of an accepted revision is read, and holds from then on. */
  | { readonly type: "adopt"; readonly revision: number; readonly commit: string }
  | Park;

/** A task that could not be done as it is planned. */
export interface Asking {
  readonly task: string;
  readonly why: string;
}

/** Nothing can go on now. */
export interface Park {
  readonly type: "park";
  readonly reason: ParkReason;
  readonly why: string;
  /** When the wait is over by the agent's own word; the host waits until then, but at least `afterMs`. */
  readonly until: string | null;
  /** The least time to wait; null means: for a person. */
  readonly afterMs: number | null;
}
