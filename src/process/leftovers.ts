import fs from "node:fs";
import path from "node:path";
import type { ProcessIdentity } from "../engine/session.ts";
import { pause } from "./deadline.ts";
import { leadsSession } from "./live-sessions.ts";
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

/** How the processes of one session are known; any of the signs is enough. */
export interface SessionSigns {
  readonly family?: ProcessFamily | undefined;
  /** An exact `NAME=value` entry that only this session's environment has. */
  readonly marker?: string | undefined;
  /** A folder in which nobody but this session works, as `realFolder` returns it. */
  readonly cwdWithin?: string | undefined;
  /** Whether it is still the folder that the session was given, and not one that somebody else made in its place; absent: it is. */
  readonly isFolderOurs?: (() => boolean) | undefined;
  /** Folders, as spelled and as real, of which only this session was told by its environment. */
  readonly environWithin?: readonly string[] | undefined;
}

/** What recovery knows of a session after Stint itself was killed. */
export interface LeftoverSigns {
  readonly identity?: ProcessIdentity | undefined;
  readonly marker?: string | undefined;
  readonly cwdWithin?: string | undefined;
  /** A folder into which HOME, TMPDIR, STINT_OUTBOX or a sandbox's STINT_ROOM of nobody but such sessions lead. */
  readonly environWithin?: string | undefined;
}

/** Proves every process of an earlier session dead, or kills it; returns those that even KILL did not end. */
export async function endLeftovers(left: LeftoverSigns): Promise<ProcessIdentity[]> {
  const { identity, marker } = left;
  const cwdWithin = left.cwdWithin === undefined ? undefined : realFolder(left.cwdWithin);
  const environWithin =
    left.environWithin === undefined ? undefined : [path.normalize(left.environWithin), realFolder(left.environWithin)];
  // Once the leader has died, its number may lead a stranger's group: then only the other signs count.
  const family = identity !== undefined && isAlive(identity) ? followFamily(identity) : undefined;
  return endSession({ family, marker, cwdWithin, environWithin });
}

/** Kills until two looks in a row find nothing, because a process that forks can slip through one. */
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

/** The same without waiting, for a Stint that exits: nobody looks later, so a few looks are taken at once. */
export function endSessionNow(signs: SessionSigns): void {
  for (let looks = 0; looks < exitLooksMax; looks += 1) {
    if (signalSession(signs, "SIGKILL").length === 0) return;
  }
}

/** A look takes milliseconds; what forks faster than so many of them is left to `stint resume`. */
const exitLooksMax = 20;

/** Sends one signal to every process of the session and returns whom it found; a sandbox as the leader can be spared. */
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

/** Looks again for whoever came meanwhile: one that becomes another all the time is dead when its turn comes, and its heir was not yet listed. */
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

/** All but the first take a millisecond; on a machine where somebody always comes, the next look goes on. */
const passesMax = 20;

function memberTest(signs: SessionSigns, table: readonly ProcessStat[]): (entry: ProcessStat) => boolean {
  const { family, marker, isFolderOurs = () => true } = signs;
  const here = { ...signs, cwdWithin: isFolderOurs() ? signs.cwdWithin : undefined };
  const members = new Set(family?.look(table).members);
  const parents = new Map(table.map(({ pid, parent }) => [pid, parent]));
  // Stint and the shells it was started from may stand in the folder that is swept.
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

/** The variables that tell an agent or a check a folder of its own, and a sandbox its room. */
const sessionFolders = ["HOME", "TMPDIR", "STINT_OUTBOX", roomVariable];

/** Tells Stint's own helpers, such as git, which may stand in a checkout, from whoever a session started. */
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

/** The process, its parent, and so on. */
function lineage(pid: number, parents: ReadonlyMap<number, number>): number[] {
  const line: number[] = [];
  let next: number | undefined = pid;
  while (next !== undefined && next > 0 && !line.includes(next)) {
    line.push(next);
    next = parents.get(next);
  }
  return line;
}

/** To be asked before a session runs; its last part is never followed, because a session can swap its folder for a link to where others work. */
export function realFolder(folder: string): string {
  const parent = path.dirname(folder);
  const real = path.join(fs.existsSync(parent) ? fs.realpathSync(parent) : parent, path.basename(folder));
  if (!path.isAbsolute(folder) || real === "/") {
    throw new Error(`Internal error: expected a session's folder, but was ${real}`);
  }
  return real;
}

/** To be asked before a session runs: whether the folder is still that very one. A driver that was overruled has lost it to another. */
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
