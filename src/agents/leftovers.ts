import fs from "node:fs";
import type { ProcessIdentity } from "./agent.ts";
import { pause } from "./deadline.ts";
import { isAlive, readBootId } from "./process-identity.ts";
import { followFamily, type ProcessFamily } from "./process-family.ts";
import {
  hasEnvironmentEntry,
  isRunning,
  type ProcessStat,
  readProcessStat,
  readProcessTable,
  worksWithin,
} from "./process-table.ts";
import { limits } from "../limits.ts";

/** How the processes of one session are known; any of the signs is enough. */
export interface SessionSigns {
  readonly family?: ProcessFamily | undefined;
  /** An exact `NAME=value` entry that only this session's environment has. */
  readonly marker?: string | undefined;
  /** A folder in which nobody but this session works. */
  readonly cwdWithin?: string | undefined;
}

/** What recovery knows of a session after Stint itself was killed. */
export interface LeftoverSigns {
  readonly identity?: ProcessIdentity | undefined;
  readonly marker?: string | undefined;
  readonly cwdWithin?: string | undefined;
}

/** Proves every process of an earlier session dead, or kills it; returns those that even KILL did not end. */
export async function endLeftovers({ identity, marker, cwdWithin }: LeftoverSigns): Promise<ProcessIdentity[]> {
  // Once the leader has died, its number may lead a stranger's group: then only the other signs count.
  const family = identity !== undefined && isAlive(identity) ? followFamily(identity) : undefined;
  return endSession({ family, marker, cwdWithin });
}

/** Kills until two looks in a row find nothing, because a process that forks can slip through one. */
export async function endSession(signs: SessionSigns): Promise<ProcessIdentity[]> {
  const deadline = performance.now() + limits.unkillableMsMax;
  let quietLooks = 0;
  while (quietLooks < 2) {
    const found = signalSession(signs, "SIGKILL");
    if (found.length > 0 && performance.now() > deadline) return found.map(toIdentity);
    quietLooks = found.length === 0 ? quietLooks + 1 : 0;
    if (quietLooks < 2) await pause(limits.leftoverLookMs);
  }
  return [];
}

/** Sends one signal to every process of the session and returns whom it found. */
export function signalSession(signs: SessionSigns, signal: NodeJS.Signals): ProcessStat[] {
  const found = findSession(signs);
  const leader = signs.family?.leader.pid;
  if (leader !== undefined && (found.some(({ group }) => group === leader) || !procExists())) send(-leader, signal);
  for (const entry of found) {
    // The group has had its signal, and a second INT means "at once" to many programs.
    if (entry.group !== leader && isSame(entry)) send(entry.pid, signal);
  }
  return found;
}

function findSession({ family, marker, cwdWithin }: SessionSigns): ProcessStat[] {
  const table = readProcessTable();
  const members = new Set(family?.look(table).members);
  const folder = cwdWithin === undefined ? undefined : realFolder(cwdWithin);
  const spared = ownLineage(table);
  return table.filter(
    (entry) =>
      !spared.has(entry.pid) &&
      (members.has(entry) ||
        (marker !== undefined && hasEnvironmentEntry(entry.pid, marker)) ||
        (folder !== undefined && worksWithin(entry.pid, folder))),
  );
}

/** Stint and the shells it was started from may stand in the folder that is swept. */
function ownLineage(table: readonly ProcessStat[]): Set<number> {
  const parents = new Map(table.map(({ pid, parent }) => [pid, parent]));
  const lineage = new Set<number>();
  let pid: number | undefined = process.pid;
  while (pid !== undefined && pid > 0 && !lineage.has(pid)) {
    lineage.add(pid);
    pid = parents.get(pid);
  }
  return lineage;
}

function realFolder(folder: string): string {
  const real = fs.existsSync(folder) ? fs.realpathSync(folder) : folder;
  if (!real.startsWith("/") || real === "/") {
    throw new Error(`Internal error: expected a session's folder, but was ${real}`);
  }
  return real;
}

function isSame({ pid, startTime }: ProcessStat): boolean {
  const now = readProcessStat(pid);
  return now !== undefined && now.startTime === startTime && isRunning(now);
}

/** It may have ended by itself meanwhile, or belong to another user; the next look tells. */
function send(target: number, signal: NodeJS.Signals): void {
  try {
    process.kill(target, signal);
  } catch {
    return;
  }
}

function procExists(): boolean {
  return fs.existsSync("/proc/self/stat");
}

function toIdentity({ pid, startTime }: ProcessStat): ProcessIdentity {
  return { pid, startTime, bootId: readBootId() ?? "" };
}
