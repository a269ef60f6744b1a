import { randomUUID } from "node:crypto";
import { constants, type Stats } from "node:fs";
import { copyFile, link, lstat, mkdir, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { workspaceLimits } from "./limits.ts";
import { execFile, removeTree } from "./remove.ts";
import { bytesOf } from "./untracked.ts";

/** One state of kept caches. Nobody writes to it: what comes later makes the next one. */
interface Generation {
  readonly dir: string;
  readonly size: CacheSize;
  users: number;
}

export interface CacheSize {
  readonly bytes: number;
  readonly files: number;
}

/** A generation that stays until it is released; the folder is undefined if nothing was kept yet. */
interface HeldGeneration {
  readonly dir: string | undefined;
  readonly release: () => void;
}

/** Kept caches that grow by generations. */
export interface CacheLine {
  readonly hold: () => HeldGeneration;
  /** Makes the next generation of the last one and of what rooms left; if that fails, the last one stays. */
  readonly add: (left: readonly string[]) => Promise<void>;
  /** Begins anew; the folders are removed by whoever says so. */
  readonly forget: () => void;
}

export function cacheLine(dir: string, name: string): CacheLine {
  let current: Generation | undefined;
  let count = 0;
  const removeIfOld = async (generation: Generation) => {
    if (generation !== current && generation.users === 0) await removeTree(generation.dir);
  };
  const hold = (): HeldGeneration => {
    const held = current;
    if (held === undefined) return { dir: undefined, release: () => undefined };
    held.users += 1;
    const release = () => {
      held.users -= 1;
      void removeIfOld(held).catch(() => undefined);
    };
    return { dir: held.dir, release };
  };
  const add = async (left: readonly string[]) => {
    const aside = join(dir, `aside-${randomUUID()}`);
    try {
      const size = await makeNext(aside, current, left);
      if (size === undefined) return;
      const next = { dir: join(dir, `${name}-${++count}`), size, users: 0 };
      await rename(aside, next.dir);
      const last = current;
      current = next;
      if (last !== undefined) await removeIfOld(last);
    } finally {
      await removeTree(aside);
    }
  };
  return { hold, add, forget: () => void (current = undefined) };
}

/** Returns the size of the next generation; undefined if it would have nothing new, or too much. */
async function makeNext(
  aside: string,
  last: Generation | undefined,
  left: readonly string[],
): Promise<CacheSize | undefined> {
  if (last === undefined) await mkdir(aside, { recursive: true, mode: 0o700 });
  else await execFile("cp", ["-al", "--", last.dir, aside]);
  const before = last?.size ?? { bytes: 0, files: 0 };
  let size: CacheSize | undefined = before;
  for (const from of left) size = size === undefined ? undefined : await addFiles(from, aside, size);
  return size === before ? undefined : size;
}

/**
 * Adds the files of a folder that hostile code may have filled: plain files and folders only, and no link is followed.
 * Returns the size with them, the same object if there were none; undefined if it is too much.
 */
export async function addFiles(from: string, to: string, before: CacheSize): Promise<CacheSize | undefined> {
  let size = before;
  let looked = 0;
  const waiting = [""];
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    for (const entry of await entriesIn(bytesOf(from, folder))) {
      // Folders and what is left out take time, too.
      if (++looked > workspaceLimits.keptCachesFilesMax) return undefined;
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      const target = bytesOf(to, path);
      if (target.length > pathBytesMax) continue;
      if (entry.isDirectory() && (await canHaveFolder(target))) waiting.push(path);
      if (!entry.isFile()) continue;
      size = grown(size, await place(bytesOf(from, path), target));
      if (!fits(size)) return undefined;
    }
  }
  return size;
}

/** The kernel takes no longer path, but makes one by steps. */
const pathBytesMax = 4_000;

/** Lists a folder; one that its owner may not read is left out, and so is one that is gone. */
async function entriesIn(folder: Buffer) {
  return await readdir(folder, { encoding: "latin1", withFileTypes: true }).catch(() => []);
}

async function canHaveFolder(target: Buffer): Promise<boolean> {
  await mkdir(target, { mode: 0o755 }).catch(() => undefined);
  return (await lstat(target)).isDirectory();
}

/** How adding one file changes the size. */
interface Change {
  readonly added: number;
  /** The size of the file that was there before. */
  readonly replaced?: number;
}

async function place(from: Buffer, to: Buffer): Promise<Change | undefined> {
  const stat = await lstat(from);
  const old = await lstat(to).catch(() => undefined);
  if (!isKeepable(stat) || (old !== undefined && !old.isFile())) return undefined;
  // Its other names in the last generation keep the old content.
  if (old !== undefined) await rm(to);
  // Whoever has a second name of the file could write to it.
  if (stat.nlink === 1) await link(from, to);
  else await copyFile(from, to, constants.COPYFILE_EXCL);
  return { added: stat.size, ...(old !== undefined && { replaced: old.size }) };
}

/** Whether a file is one that tools make: readable for its owner, and without the bits that lend the owner's rights. */
function isKeepable({ mode }: Pick<Stats, "mode">): boolean {
  return (mode & constants.S_IFMT) === constants.S_IFREG && (mode & 0o7000) === 0 && (mode & 0o400) !== 0;
}

function grown(size: CacheSize, change: Change | undefined): CacheSize {
  if (change === undefined) return size;
  const { added, replaced } = change;
  return { bytes: size.bytes + added - (replaced ?? 0), files: size.files + (replaced === undefined ? 1 : 0) };
}

export function fits({ bytes, files }: CacheSize): boolean {
  return bytes <= workspaceLimits.keptCachesBytesMax && files <= workspaceLimits.keptCachesFilesMax;
}
