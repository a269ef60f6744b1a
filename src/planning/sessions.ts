import { readdirSync } from "node:fs";
import { join } from "node:path";
import { realFiles } from "../journal/file-port.ts";
import { readFrom } from "../journal/follow.ts";
import { acquireLock, lockHolder, type Lock, type LockFailure } from "../journal/lock.ts";
import { journalStart } from "../journal/scan.ts";
import { foldPlanning, type PlanningState } from "./machine/planning.ts";
import type { PlanningEvent } from "./machine/events.ts";
import { ok, type Result } from "../base/result.ts";
import { planningLayout, type Layout } from "../project/layout.ts";
import { planOfRun } from "../project/runs.ts";

/** A planning as its journal tells it; the state is undefined where it died before its first event. */
export interface ReadPlanning {
  readonly id: string;
  readonly state: PlanningState | undefined;
}

/** Ids of plannings, oldest first; they are named like runs. */
export function listPlannings(layout: Layout, plan?: string): string[] {
  const names = readdirSync(layout.plannings).filter((name) => planOfRun(name) !== undefined);
  return names.filter((name) => plan === undefined || planOfRun(name) === plan).toSorted();
}

/** Reads a planning without taking part in it. */
export function readPlanning(layout: Layout, id: string): Result<ReadPlanning> {
  const read = readFrom(realFiles, planningLayout(layout, id).journal, journalStart);
  if (!read.ok) return read.failure.reason === "missing" ? ok({ id, state: undefined }) : read;
  return ok({ id, state: foldPlanning(read.value.entries as readonly unknown[] as readonly PlanningEvent[]) });
}

/** One process per planning; the kernel frees the lock when that process dies. */
export function lockPlanning(layout: Layout, id: string, purpose: string): Result<Lock, LockFailure> {
  return acquireLock(lockFile(layout, id), { purpose });
}

/** Whether a process drives a planning, for people; only the lock itself decides. */
export function isPlanningDriven(layout: Layout, id: string): boolean {
  return lockHolder(lockFile(layout, id)) !== undefined;
}

function lockFile(layout: Layout, id: string): string {
  return join(layout.locks, `${id}.planning.lock`);
}
