import { join } from "node:path";
import { acquireLock, lockHolder, type Lock, type LockFailure } from "../journal/lock.ts";
import { projectLimits } from "./limits.ts";
import { fail, type Result } from "../base/result.ts";
import type { Paths } from "./paths.ts";
import { type Machine, realMachine } from "./machine.ts";

/** One driver per plan and git common dir; the kernel frees the lock when the driver dies, however it dies. */
export function lockPlan(
  paths: Paths,
  { plan, purpose }: { readonly plan: string; readonly purpose: string },
  { locks }: Machine = realMachine,
): Result<Lock, LockFailure> {
  const file = fileOf(paths, plan);
  const lock = acquireLock(file, { purpose }, locks);
  const holder = lock.ok ? locks.holderOfRemoved(file) : undefined;
  if (!lock.ok || holder === undefined) return lock;
  lock.value.release();
  const cure = `End it (\`kill -9 ${holder}\`), or wake it if it is stopped (\`kill -CONT ${holder}\`).`;
  return fail("unavailable", `${file} was removed, but process ${holder} still runs plan ${plan} with it. ${cure}`);
}

/** Takes the lock of a plan's driver. A process that has it only briefly, to deliver a command, is waited for. */
export async function lockToDrive(
  paths: Paths,
  plan: string,
  machine: Machine = realMachine,
): Promise<Result<Lock, LockFailure>> {
  const { clock } = machine;
  const until = clock.elapsed() + projectLimits.commandWaitMs;
  for (;;) {
    const lock = lockPlan(paths, { plan, purpose: drivingPurpose(plan) }, machine);
    const isBrief = !lock.ok && lock.failure.reason === "held" && driverOf(paths, plan, machine) === null;
    if (!isBrief || clock.elapsed() >= until) return lock;
    await new Promise<void>((resolve) => void clock.after(projectLimits.commandLookMs, resolve));
  }
}

/** Takes the lock to drive a plan. Where another process has it, the failure names that process and how to reach it. */
export async function lockOrName(paths: Paths, plan: string): Promise<Result<Lock, LockFailure>> {
  const lock = await lockToDrive(paths, plan);
  const driver = lock.ok ? null : driverOf(paths, plan);
  if (driver === null) return lock;
  const reach = "`stint status` shows its progress; `stint pause` and `stint stop` work from here.";
  return fail("held", `process ${driver} is already running plan ${plan}. ${reach}`);
}

/** The process that drives the plan, for people; null where there is none. Only the lock itself decides. */
export function driverOf(paths: Paths, plan: string, { locks }: Machine = realMachine): number | null {
  const holder = lockHolder(fileOf(paths, plan), locks);
  return holder?.purpose === drivingPurpose(plan) ? holder.pid : null;
}

function drivingPurpose(plan: string): string {
  return `stint drives plan ${plan}`;
}

function fileOf(paths: Paths, plan: string): string {
  return join(paths.locks, `${plan}.lock`);
}
