import { join } from "node:path";
import { acquireLock, lockHolder, type Lock, type LockFailure } from "../journal/lock.ts";
import type { Result } from "../result.ts";
import type { Layout } from "./layout.ts";

/** One driver per plan and git common dir; the kernel frees the lock when the driver dies, however it dies. */
export function lockPlan(layout: Layout, plan: string, purpose: string): Result<Lock, LockFailure> {
  return acquireLock(fileOf(layout, plan), { purpose });
}

/** Whether a driver is alive, for people; nothing is decided by it. */
export function isDriven(layout: Layout, plan: string): boolean {
  return lockHolder(fileOf(layout, plan)) !== undefined;
}

function fileOf(layout: Layout, plan: string): string {
  return join(layout.locks, `${plan}.lock`);
}
