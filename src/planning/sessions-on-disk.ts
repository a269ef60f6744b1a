import { readdirSync } from "node:fs";
import { join } from "node:path";
import { realFiles } from "../journal/file-port.ts";
import { readFrom } from "../journal/follow.ts";
import { acquireLock, lockHolder, type Lock, type LockFailure } from "../journal/lock.ts";
import { journalStart } from "../journal/scan.ts";
import { foldPlanning, type PlanningState } from "./machine/state.ts";
import type { PlanningEvent } from "./machine/events.ts";
import { ok, type Result } from "../base/result.ts";
import { planningPaths, type Paths } from "../project/paths.ts";
import { planOfRun } from "../project/runs.ts";

/** A planning as its journal tells it; the state is undefined where it died before its first event. */
export interface ReadPlanning {
  readonly id: string;
  readonly state: PlanningState | undefined;
}

/** Ids of plannings, oldest first; they are named like runs. */
export function listPlannings(paths: Paths, plan?: string): string[] {
  const names = readdirSync(paths.plannings).filter((name) => planOfRun(name) !== undefined);
  return names.filter((name) => plan === undefined || planOfRun(name) === plan).toSorted();
}

/** Reads a planning without taking part in it. */
export function readPlanning(paths: Paths, id: string): Result<ReadPlanning> {
  const read = readFrom(realFiles, planningPaths(paths, id).journal, journalStart);
  if (!read.ok) return read.failure.reason === "missing" ? ok({ id, state: undefined }) : read;
  return ok({ id, state: foldPlanning(read.value.entries as readonly unknown[] as readonly PlanningEvent[]) });
}

/** One process per planning; the kernel frees the lock when that process dies. */
export function lockPlanning(paths: Paths, id: string, purpose: string): Result<Lock, LockFailure> {
  return acquireLock(lockFile(paths, id), { purpose });
}

/** Whether a process drives a planning, for people; only the lock itself decides. */
export function isPlanningDriven(paths: Paths, id: string): boolean {
  return lockHolder(lockFile(paths, id)) !== undefined;
}

function lockFile(paths: Paths, id: string): string {
  return join(paths.locks, `${id}.planning.lock`);
}
