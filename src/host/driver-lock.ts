import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { acquireLock, lockHolder, type Lock, type LockFailure } from "../journal/lock.ts";
import { limits } from "../limits.ts";
import { fail, type Result } from "../result.ts";
import type { Layout } from "./layout.ts";
import { holderOfRemoved } from "./removed-lock.ts";

/** One driver per plan and git common dir; the kernel frees the lock when the driver dies, however it dies. */
export function lockPlan(layout: Layout, plan: string, purpose: string): Result<Lock, LockFailure> {
  const file = fileOf(layout, plan);
  const lock = acquireLock(file, { purpose });
  const holder = lock.ok ? holderOfRemoved(file) : undefined;
  if (!lock.ok || holder === undefined) return lock;
  lock.value.release();
  const cure = `End it (\`kill -9 ${holder}\`), or let it go on if it is stopped (\`kill -CONT ${holder}\`).`;
  return fail("unavailable", `${file} was removed, but process ${holder} still drives plan ${plan} by it. ${cure}`);
}

/** The lock of whoever drives runs of a plan; one who has it for a moment only, to bring a command, is waited for. */
export async function lockToDrive(layout: Layout, plan: string): Promise<Result<Lock, LockFailure>> {
  const until = performance.now() + limits.commandWaitMs;
  for (;;) {
    const lock = lockPlan(layout, plan, drivingPurpose(plan));
    const isBrief = !lock.ok && lock.failure.reason === "held" && driverOf(layout, plan) === null;
    if (!isBrief || performance.now() >= until) return lock;
    await sleep(limits.commandLookMs);
  }
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
