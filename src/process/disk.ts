import fs from "node:fs";
import { lstat, readdir } from "node:fs/promises";
import path from "node:path";
import { processLimits } from "./limits.ts";
import { boundDisk, defaultBounds, type Bounds } from "./bounds.ts";
import type { ProcessStat } from "./table.ts";

/** Watches what a session writes into its folders. */
export interface DiskWatch {
  /** Checks the free space, which is cheap, and counts what the session wrote only if much of it is gone. */
  readonly look: (members: readonly ProcessStat[]) => void;
  readonly stop: () => void;
}

/** Watches the disk and calls `exceeded` with what was exceeded. */
export function watchDisk(folders: readonly string[], bounds: Bounds, exceeded: (what: string) => void): DiskWatch {
  const since = now();
  const freeBefore = freeBytes(folders);
  let free = freeBefore;
  let gone = 0;
  let countAgainAt = 0;
  let isStopped = false;
  const count = async (members: readonly ProcessStat[]): Promise<void> => {
    const { bytes } = await writtenIn(folders, since, () => isStopped);
    const written = deletedBytes(members, since) + bytes;
    countAgainAt = performance.now() + processLimits.diskCountMs;
    if (isStopped) return;
    const what = boundDisk({ freeBefore, free, written }, bounds);
    if (what !== undefined) exceeded(what);
  };
  return {
    look: (members) => {
      const before = free;
      free = freeBytes(folders);
      gone += Math.max(0, before - free);
      const isSuspect = gone >= bounds.diskBytesMax || free < bounds.diskFreeBytesMin;
      if (!isSuspect || performance.now() < countAgainAt) return;
      countAgainAt = Infinity;
      void count(members);
    },
    stop: () => {
      isStopped = true;
    },
  };
}

/** Examines the disk before a session, to know afterwards whether the session itself has filled it. */
export function beforeSession(folders: readonly string[]): { readonly hasFilledDisk: () => Promise<boolean> } {
  const since = now();
  const [freeBefore, filesBefore] = [freeBytes(folders), freeFiles(folders)];
  return {
    hasFilledDisk: async () => {
      const { bytes: written, files } = await writtenIn(folders, since, () => false);
      if (boundDisk({ freeBefore, free: freeBytes(folders), written }, defaultBounds()) !== undefined) return true;
      return freeFiles(folders) === 0 && filesBefore >= processLimits.diskFreeFilesUsable && files >= filesBefore / 2;
    },
  };
}

/** The file system's clock may be some ticks behind. */
function now(): number {
  return Date.now() - 1_000;
}

function freeFiles(folders: readonly string[]): number {
  return leastOf(folders, ({ files, ffree }) => (files > 0 ? ffree : Infinity));
}

function freeBytes(folders: readonly string[]): number {
  return leastOf(folders, ({ bavail, bsize }) => bavail * bsize);
}

/** Returns the free space; infinite if it is unknown, because a folder that the session removed fills no disk. */
function leastOf(folders: readonly string[], count: (disk: fs.StatsFs) => number): number {
  const each = folders.map((folder) => {
    try {
      return count(fs.statfsSync(folder));
    } catch {
      return Infinity;
    }
  });
  return Math.min(...each, Infinity);
}

interface Written {
  readonly bytes: number;
  readonly files: number;
}

/** Adds up the files that changed since then, by their time of last change, which programs cannot set. */
async function writtenIn(folders: readonly string[], since: number, isStopped: () => boolean): Promise<Written> {
  const queue = [...folders];
  let [bytes, files, entries] = [0, 0, 0];
  for (let folder = queue.pop(); folder !== undefined; folder = queue.pop()) {
    if (isStopped()) return { bytes, files };
    for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
      const file = path.join(folder, entry.name);
      entries += 1;
      // No project has so many files; counting must end, and the rest counts as too much.
      if (entries > processLimits.diskEntriesMax) return { bytes: Infinity, files: Infinity };
      if (entry.isDirectory()) queue.push(file);
      const stat = await lstat(file).catch(() => undefined);
      if (stat === undefined || stat.ctimeMs < since) continue;
      files += 1 / Math.max(1, entry.isDirectory() ? 1 : stat.nlink);
      if (entry.isFile()) bytes += allocated(stat, since);
    }
  }
  return { bytes, files };
}

/** Adds up files that have no name any more but take space as long as a process has them open. */
function deletedBytes(members: readonly ProcessStat[], since: number): number {
  const seen = new Map<string, number>();
  for (const { pid } of members) {
    for (const stat of openFiles(pid)) {
      if (stat.isFile() && stat.nlink === 0) seen.set(`${stat.dev} ${stat.ino}`, allocated(stat, since));
    }
  }
  return [...seen.values()].reduce((sum, bytes) => sum + bytes, 0);
}

function openFiles(pid: number): fs.Stats[] {
  try {
    const folder = `/proc/${pid}/fd`;
    return fs.readdirSync(folder).flatMap((fd) => fs.statSync(path.join(folder, fd), { throwIfNoEntry: false }) ?? []);
  } catch {
    return [];
  }
}

/** Returns the size of a file; one with several names is shared with a package store, or counted once for each name. */
function allocated({ ctimeMs, blocks, nlink }: fs.Stats, since: number): number {
  return ctimeMs < since ? 0 : (blocks * 512) / Math.max(1, nlink);
}
