import type { RunState } from "../../engine/state.ts";
import type { SessionActivity } from "../../run/activity.ts";
import type { RunHistory } from "./history.ts";

/** What is known when the view is drawn; all times in milliseconds since 1970. */
export interface Snapshot {
  readonly state: RunState;
  readonly record: RunHistory;
  readonly sessions: readonly SessionActivity[];
  readonly now: number;
  /** The process that drives the run, or null. */
  readonly driver: number | null;
  /** Whether the driver was asked to end, and is about to. */
  readonly isStopping: boolean;
  /** Whether a person can type. */
  readonly hasKeys: boolean;
}
