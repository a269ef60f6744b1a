import fs from "node:fs";
import type { ProcessIdentity } from "../engine/session.ts";
import { isRunning, readProcessStat } from "./table.ts";

/** Returns what identifies this process for ever, to be recorded before it may run; undefined if it is gone or /proc is absent. */
export function identify(pid: number): ProcessIdentity | undefined {
  const stat = readProcessStat(pid);
  const bootId = readBootId();
  return stat === undefined || bootId === undefined ? undefined : { pid, startTime: stat.startTime, bootId };
}

/** Whether that very process still runs; a reused pid, another boot and a zombie all mean it is dead. */
export function isAlive(identity: ProcessIdentity): boolean {
  if (identity.startTime === "") return answersSignals(identity.pid);
  if (identity.bootId !== readBootId()) return false;
  const stat = readProcessStat(identity.pid);
  return stat !== undefined && stat.startTime === identity.startTime && isRunning(stat);
}

/** Start times count from a boot, so they name a process only together with it. */
export function readBootId(): string | undefined {
  try {
    return fs.readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
  } catch {
    return undefined;
  }
}

/** Checks the pid alone, which is all that is known without /proc; a reused pid counts as the old process, which errs towards waiting. */
function answersSignals(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
