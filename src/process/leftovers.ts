import fs from "node:fs";
import path from "node:path";
import type { ProcessIdentity } from "../engine/session.ts";
import { pause } from "./deadline.ts";
import { isAlive, readBootId } from "./identity.ts";
import { followFamily, type ProcessFamily } from "./family.ts";
import {
  environmentLeadsInto,
  hasEnvironmentEntry,
  isRunning,
  type ProcessStat,
  readProcessStat,
  readProcessTable,
  worksWithin,
} from "./table.ts";
import { roomVariable } from "../sandbox/bwrap.ts";
import { processLimits } from "./limits.ts";

/** The signs by which the processes of one session are recognised; any of them is enough. */
export interface SessionSigns {
  readonly family?: ProcessFamily | undefined;
  /** An exact `NAME=value` entry that only this session's environment has. */
  readonly marker?: string | undefined;
  /** A folder in which only this session works, as `realFolder` returns it. */
  readonly cwdWithin?: string | undefined;
  /** Whether it is still the folder that the session was given, and not one that another process made in its place; absent means yes. */
  readonly isFolderOurs?: (() => boolean) | undefined;
  /** Folders, as written and as real paths, that only this session's environment names. */
  readonly environWithin?: readonly string[] | undefined;
}

/** What recovery knows about a session after Stint itself was killed. */
export interface LeftoverSigns {
  readonly identity?: ProcessIdentity | undefined;
  readonly marker?: string | undefined;
  readonly cwdWithin?: string | undefined;
  /** A folder into which HOME, TMPDIR, STINT_OUTBOX or a sandbox's STINT_ROOM lead only in such sessions. */
  readonly environWithin?: string | undefined;
}

/** Proves every process of an earlier session dead, or kills it; returns those that even KILL did not end. */
export async function endLeftovers(left: LeftoverSigns): Promise<ProcessIdentity[]> {
  const { identity, marker } = left;
  const cwdWithin = left.cwdWithin === undefined ? undefined : realFolder(left.cwdWithin);
  const environWithin =
    left.environWithin === undefined ? undefined : [path.normalize(left.environWithin), realFolder(left.environWithin)];
  // Once the leader has died, its number may belong to another program's group: then only the other signs count.
  const family = identity !== undefined && isAlive(identity) ? followFamily(identity) : undefined;
  return endSession({ family, marker, cwdWithin, environWithin });
}

/** Kills until two searches in a row find nothing, because a process that forks can slip through one. */
export async function endSession(signs: SessionSigns): Promise<ProcessIdentity[]> {
  const deadline = performance.now() + processLimits.unkillableMsMax;
  let quietLooks = 0;
  while (quietLooks < 2) {
    const found = signalSession(signs, "SIGKILL");
    if (found.length > 0 && performance.now() > deadline) return found.map(toIdentity);
    quietLooks = found.length === 0 ? quietLooks + 1 : 0;
    if (quietLooks < 2) await pause(processLimits.leftoverLookMs);
  }
  return [];
}

/** Does the same without waiting, when Stint exits: there is no later search, so a few are made at once. */
export function endSessionNow(signs: SessionSigns): void {
  for (let looks = 0; looks < exitLooksMax; looks += 1) {
    if (signalSession(signs, "SIGKILL").length === 0) return;
  }
}

/** A search takes milliseconds; processes that fork faster than so many of them are left to `stint resume`. */
const exitLooksMax = 20;

/** Ends the session if Stint exits before it, as it does on a second Ctrl-C; returns a function that cancels this. */
export function guardSession(leader: number, endNow: () => void): () => void {
  if (live.size === 0) process.on("exit", endAll);
  live.set(leader, endNow);
  return () => {
    live.delete(leader);
    if (live.size === 0) process.off("exit", endAll);
  };
}

function endAll(): void {
  for (const endNow of live.values()) endNow();
}

/** Functions that end each running session without waiting, by the leader's pid. */
const live = new Map<number, () => void>();

/** Sends one signal to every process of the session and returns the processes it found; a sandbox as the leader can be spared. */
export function signalSession(
  signs: SessionSigns,
  signal: NodeJS.Signals,
  { sparingLeader = false }: { readonly sparingLeader?: boolean } = {},
): ProcessStat[] {
  const found = findSession(signs);
  const leader = signs.family?.leader.pid;
  if (sparingLeader) {
    for (const entry of found) if (entry.pid !== leader && isSame(entry)) send(entry.pid, signal);
    return found;
  }
  if (leader !== undefined && (found.some(({ group }) => group === leader) || !procExists())) send(-leader, signal);
  for (const entry of found) {
    // The group has had its signal, and a second INT means "at once" to many programs.
    if (entry.group !== leader && isSame(entry)) send(entry.pid, signal);
  }
  return found;
}

/** Searches again for processes that started meanwhile: one that keeps replacing itself is dead when its turn comes, and its successor was not yet listed. */
function findSession(signs: SessionSigns): ProcessStat[] {
  const seen = new Set<number>();
  const table: ProcessStat[] = [];
  const found: ProcessStat[] = [];
  for (let passes = 0; passes < passesMax; passes += 1) {
    const newcomers = readProcessTable(seen);
    if (newcomers.length === 0) break;
    table.push(...newcomers);
    found.push(...newcomers.filter(memberTest(signs, table)));
  }
  return found;
}

/** All but the first take a millisecond; if new processes keep coming, the next search continues. */
const passesMax = 20;

function memberTest(signs: SessionSigns, table: readonly ProcessStat[]): (entry: ProcessStat) => boolean {
  const { family, marker, isFolderOurs = () => true } = signs;
  const here = { ...signs, cwdWithin: isFolderOurs() ? signs.cwdWithin : undefined };
  const members = new Set(family?.look(table).members);
  const parents = new Map(table.map(({ pid, parent }) => [pid, parent]));
  // Stint and the shells it was started from may run in the folder that is searched.
  const spared = new Set(lineage(process.pid, parents));
  const isOwn = helperTest(parents);
  return (entry) =>
    !spared.has(entry.pid) &&
    (members.has(entry) ||
      (marker !== undefined && hasEnvironmentEntry(entry.pid, marker)) ||
      (keepsToFolder(entry, here) && !isOwn(entry)));
}

function keepsToFolder({ pid }: ProcessStat, { cwdWithin, environWithin }: SessionSigns): boolean {
  return (
    (cwdWithin !== undefined && worksWithin(pid, cwdWithin)) ||
    (environWithin !== undefined && environmentLeadsInto(pid, sessionFolders, environWithin))
  );
}

/** The variables that name the own folders of an agent or a check, and the room of a sandbox. */
const sessionFolders = ["HOME", "TMPDIR", "STINT_OUTBOX", roomVariable];

/** Tells Stint's own helpers, such as git, which may run in a checkout, from processes that a session started. */
function helperTest(parents: ReadonlyMap<number, number>): (entry: ProcessStat) => boolean {
  const terminal = readProcessStat(process.pid)?.session;
  return (entry) => {
    // A supervised child begins a session of the system's kind, and nothing below it can join Stint's again.
    if (entry.session === terminal) return true;
    // As the first process of a container Stint adopts every orphan, so there a parent proves nothing.
    if (process.pid === 1) return false;
    const line = lineage(entry.pid, parents);
    const child = line[line.indexOf(process.pid) - 1];
    return child !== undefined && !leadsSession(child);
  };
}

/** Whether this process leads a session that Stint supervises now. */
function leadsSession(pid: number): boolean {
  return live.has(pid);
}

/** Lists the process, its parent, and so on. */
function lineage(pid: number, parents: ReadonlyMap<number, number>): number[] {
  const line: number[] = [];
  let next: number | undefined = pid;
  while (next !== undefined && next > 0 && !line.includes(next)) {
    line.push(next);
    next = parents.get(next);
  }
  return line;
}

/** Returns the real path of a session's folder; must be called before the session runs. The last part is never followed, because a session can replace its folder by a link to where others work. */
export function realFolder(folder: string): string {
  const parent = path.dirname(folder);
  const real = path.join(fs.existsSync(parent) ? fs.realpathSync(parent) : parent, path.basename(folder));
  if (!path.isAbsolute(folder) || real === "/") {
    throw new Error(`Internal error: expected a session's folder, but was ${real}`);
  }
  return real;
}

/** Returns a test whether the folder is still the same one; must be called before the session runs. A driver that was overruled has lost it to another. */
export function watchFolderIdentity(folder: string): () => boolean {
  const identity = (): string | undefined => {
    const found = fs.lstatSync(folder, { bigint: true, throwIfNoEntry: false });
    return found === undefined ? undefined : `${found.ino} ${found.birthtimeNs}`;
  };
  const before = identity();
  return () => {
    const now = identity();
    return now === undefined || before === undefined || now === before;
  };
}

function isSame({ pid, startTime }: ProcessStat): boolean {
  const now = readProcessStat(pid);
  return now !== undefined && now.startTime === startTime && isRunning(now);
}

/** Sends a signal; the process may have ended meanwhile or belong to another user, which the next search shows. */
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
