import { spawnSync } from "node:child_process";
import { accessSync, constants, readFileSync, readdirSync, readlinkSync, realpathSync } from "node:fs";
import { hostname } from "node:os";
import { delimiter, isAbsolute, join, basename, dirname } from "node:path";
import { realFiles } from "./file-port.ts";
import type { FlockOutcome, LockPort } from "./lock.ts";
import { journalLimits } from "./limits.ts";

/** Takes locks on the real machine: `flock` locks the open file that it inherits as descriptor 3, and the lock stays with our descriptor. */
export const realLockPort: LockPort = {
  files: realFiles,
  flock: runFlock,
  self: () => ({
    pid: process.pid,
    startTime: startTimeOf(process.pid) ?? "unknown",
    host: hostname(),
    since: new Date().toISOString(),
  }),
  startTimeOf,
  holderOfRemoved,
};

function runFlock(fd: number): FlockOutcome {
  const program = findOnPath("flock");
  if (program === undefined) return { unavailable: "flock was not found on PATH. Install util-linux." };
  const run = spawnSync(program, ["-n", "3"], {
    stdio: ["ignore", "ignore", "pipe", fd],
    env: { LC_ALL: "C" },
    timeout: journalLimits.flockMsMax,
  });
  if (run.status === 0) return "locked";
  if (run.status === 1) return "held";
  const why = run.error?.message ?? (run.stderr.toString().trim() || `exit ${run.status ?? run.signal}`);
  return { unavailable: `${program} failed: ${why}. The state folder must be on a local file system.` };
}

/** Finds a program on PATH. Relative entries are skipped, because a repository could ship its own `flock`. */
function findOnPath(name: string): string | undefined {
  const folders = (process.env["PATH"] ?? "").split(delimiter).filter((folder) => isAbsolute(folder));
  return folders.map((folder) => join(folder, name)).find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Reads field 22 of /proc/<pid>/stat, counted from the last parenthesis, because the command's name may contain anything. */
function startTimeOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
  } catch {
    return undefined;
  }
}

/**
 * Finds a process that still has a removed file of this name open. The kernel's lock went with the file: a process that
 * makes a new one would have a lock that excludes nobody, and two drivers would work in the same folders.
 */
function holderOfRemoved(path: string): number | undefined {
  const removed = `${join(realpathSync(dirname(path)), basename(path))} (deleted)`;
  const pids = namesIn("/proc").filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid);
  const pid = pids.find((name) => {
    const folder = `/proc/${name}/fd`;
    return namesIn(folder).some((fd) => targetOf(join(folder, fd)) === removed);
  });
  return pid === undefined ? undefined : Number(pid);
}

/** Lists a folder of /proc; processes end meanwhile, and those of other users cannot be read. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function targetOf(link: string): string | undefined {
  try {
    return readlinkSync(link);
  } catch {
    return undefined;
  }
}
