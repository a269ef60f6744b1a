import type { RunEntry } from "../../hooks/run-entry.ts";
import type { RunState } from "../../engine/state.ts";
import type { Activity } from "../../run/activity.ts";
import { cliLimits } from "../limits.ts";

/** When things happened, which the state of a run does not record; in milliseconds since 1970, by the journal. */
export interface RunHistory {
  begun: number | null;
  last: number;
  /** When a planner was last asked for a revision. */
  replanned: number;
  /** When the latest attempt of a task started, while it is running. */
  readonly attempts: Map<string, number>;
  /** Tasks that were ever blocked; the state says whether they still are. */
  readonly blocked: Set<string>;
  /** The latest tasks that are done, newest last. */
  readonly finished: FinishedTask[];
}

/** A task that is done. */
export interface FinishedTask {
  readonly task: string;
  readonly commit: string | null;
  /** The time of its last attempt. */
  readonly tookMs: number;
}

/** What is known when the view is drawn; all times in milliseconds since 1970. */
export interface Snapshot extends Activity {
  readonly state: RunState;
  readonly record: RunHistory;
  readonly now: number;
  /** The process that drives the run, or null. */
  readonly driver: number | null;
  /** Why the user's branch could not follow the run when it was opened, where that is known. */
  readonly branchProblem?: string | undefined;
  /** Whether the driver was asked to end, and is about to. */
  readonly isStopping: boolean;
  /** Whether a person can type. */
  readonly hasKeys: boolean;
}

export function emptyHistory(): RunHistory {
  return { begun: null, last: 0, replanned: 0, attempts: new Map(), blocked: new Set(), finished: [] };
}

/** Adds one event, in place, so that it costs the same however long the run is. */
export function addEvent(record: RunHistory, entry: RunEntry): void {
  const at = Date.parse(entry.at);
  record.begun ??= at;
  record.last = at;
  if (entry.type === "replan-started") record.replanned = at;
  if (entry.type === "attempt-started") record.attempts.set(entry.task, at);
  if (entry.type === "task-blocked") record.blocked.add(entry.task);
  if (entry.type === "task-integrated") finish(record, entry.task, { at, commit: entry.commit });
  const isSatisfied = entry.type === "baseline" && entry.state === "green";
  if (isSatisfied) finish(record, entry.task, { at, commit: null });
}

function finish(record: RunHistory, task: string, { at, commit }: { at: number; commit: string | null }): void {
  const tookMs = Math.max(0, at - (record.attempts.get(task) ?? at));
  record.attempts.delete(task);
  const earlier = record.finished.findIndex((one) => one.task === task);
  if (earlier !== -1) record.finished.splice(earlier, 1);
  record.finished.push({ task, commit, tookMs });
  if (record.finished.length > cliLimits.viewRowsMax) record.finished.shift();
}
