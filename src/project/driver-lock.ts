import { join } from "node:path";
import { acquireLock, lockHolder, type Lock, type LockFailure } from "../journal/lock.ts";
import { projectLimits } from "./limits.ts";
import { fail, type Result } from "../base/result.ts";
import type { Layout } from "./layout.ts";
import { type Machine, realMachine } from "./machine.ts";

/** One driver per plan and git common dir; the kernel frees the lock when the driver dies, however it dies. */
export function lockPlan(
  layout: Layout,
  { plan, purpose }: { readonly plan: string; readonly purpose: string },
  { locks }: Machine = realMachine,
): Result<Lock, LockFailure> {
  const file = fileOf(layout, plan);
  const lock = acquireLock(file, { purpose }, locks);
  const holder = lock.ok ? locks.holderOfRemoved(file) : undefined;
  if (!lock.ok || holder === undefined) return lock;
  lock.value.release();
  const cure = `End it (\`kill -9 ${holder}\`), or let it go on if it is stopped (\`kill -CONT ${holder}\`).`;
  return fail("unavailable", `${file} was removed, but process ${holder} still drives plan ${plan} by it. ${cure}`);
}

/** The lock of whoever drives runs of a plan; one who has it for a moment only, to bring a command, is waited for. */
export async function lockToDrive(
  layout: Layout,
  plan: string,
  machine: Machine = realMachine,
): Promise<Result<Lock, LockFailure>> {
  const { clock } = machine;
  const until = clock.elapsed() + projectLimits.commandWaitMs;
  for (;;) {
    const lock = lockPlan(layout, { plan, purpose: drivingPurpose(plan) }, machine);
    const isBrief = !lock.ok && lock.failure.reason === "held" && driverOf(layout, plan, machine) === null;
    if (!isBrief || clock.elapsed() >= until) return lock;
    await new Promise<void>((resolve) => void clock.after(projectLimits.commandLookMs, resolve));
  }
}

/** The lock of a driver to be; where another one has it, that one is named with the ways to reach it. */
export async function lockOrName(layout: Layout, plan: string): Promise<Result<Lock, LockFailure>> {
  const lock = await lockToDrive(layout, plan);
  const driver = lock.ok ? null : driverOf(layout, plan);
  if (driver === null) return lock;
  const reach = "`stint status` shows how it stands; `stint pause` and `stint stop` reach it from here.";
  return fail("held", `process ${driver} drives plan ${plan} already. ${reach}`);
}

/** The process that drives the plan, for people; null where there is none. Only the lock itself decides. */
export function driverOf(layout: Layout, plan: string, { locks }: Machine = realMachine): number | null {
  const holder = lockHolder(fileOf(layout, plan), locks);
  return holder?.purpose === drivingPurpose(plan) ? holder.pid : null;
}

function drivingPurpose(plan: string): string {
  return `stint drives plan ${plan}`;
}

function fileOf(layout: Layout, plan: string): string {
  return join(layout.locks, `${plan}.lock`);
}
