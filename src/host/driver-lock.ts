import { join } from "node:path";
import { acquireLock, lockHolder, type Lock, type LockFailure } from "../journal/lock.ts";
import type { Result } from "../result.ts";
import type { Layout } from "./layout.ts";

/** One driver per plan and git common dir; the kernel frees the lock when the driver dies, however it dies. */
export function lockPlan(layout: Layout, plan: string, purpose: string): Result<Lock, LockFailure> {
  return acquireLock(fileOf(layout, plan), { purpose });
}

/** The lock of whoever drives runs of a plan; others take it for a moment only. */
export function lockToDrive(layout: Layout, plan: string): Result<Lock, LockFailure> {
  return lockPlan(layout, plan, drivingPurpose(plan));
}

/** The process that drives the plan, for people; null where there is none. Only the lock itself decides. */
export function driverOf(layout: Layout, plan: string): number | null {
  const holder = lockHolder(fileOf(layout, plan));
  return holder?.purpose === drivingPurpose(plan) ? holder.pid : null;
}

function drivingPurpose(plan: string): string {
  return `stint drives plan ${plan}`;
}

function fileOf(layout: Layout, plan: string): string {
  return join(layout.locks, `${plan}.lock`);
}
