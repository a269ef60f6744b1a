import type { RunState } from "../../engine/state.ts";
import type { SessionActivity } from "../../run/activity.ts";
import type { Chronicle } from "./chronicle.ts";

/** What is known when a picture is made; all times in milliseconds since 1970. */
export interface Scene {
  readonly state: RunState;
  readonly record: Chronicle;
  readonly sessions: readonly SessionActivity[];
  readonly now: number;
  /** The process that drives the run, or null. */
  readonly driver: number | null;
  /** The driver was asked to end, and is about to. */
  readonly isStopping: boolean;
  /** Whether a person can type. */
  readonly hasKeys: boolean;
}
