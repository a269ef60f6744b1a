import { createHash, randomBytes } from "node:crypto";
import { existsSync, lstatSync, readdirSync } from "node:fs";
import { mkdir, readdir, readFile, rename, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { workspaceLimits } from "./limits.ts";
import { execFile, removeTree } from "./remove.ts";
import type { Untracked } from "./untracked.ts";

/** What set-up made in a checkout that no agent touched, kept to be copied into the next one. */
export interface SetupCache {
  /** A folder with one folder per entry; nothing that is confined can see it. */
  readonly dir: string;
  /** Returns everything that set-up depends on at a commit according to the settings; undefined if that is nothing, so nothing is reused. */
  readonly inputsOf: (commit: string) => Promise<string | undefined>;
  /** Whether set-up depends on the file at this path according to the settings. */
  readonly isInput: (path: string) => boolean;
  /** Returns who may use what set-up makes of this commit; undefined if it contains unverified work of an agent. */
  readonly keepFor: (commit: string) => string | undefined;
  /** The owners whose entries may be used, the nearest first. */
  readonly useOf: readonly string[];
}

/** What an entry was made of and with, as text; the owner is not part of it. */
export type SetupKey = string;

/** The folders of an entry. */
export interface KeptSetup {
  /** What set-up made in the checkout. */
  readonly files: string;
  /** The caches that it left in its HOME; absent if it left none. */
  readonly home?: string | undefined;
}

/** Finds an entry that nobody has changed, and notes that it was used. */
async function findEntry({ cache, key }: Reuse): Promise<KeptSetup | undefined> {
  for (const owner of cache.useOf) {
    const entry = entryOf(cache, owner, key);
    if (!(await isWhole(entry))) continue;
    await utimes(entry, new Date(), new Date());
    const { files, home } = foldersIn(entry);
    return { files, home: existsSync(home) ? home : undefined };
  }
  return undefined;
}

/**
 * Copies what set-up made into a fresh checkout; false means that copying broke off, and the checkout is no longer fresh.
 * It copies and never makes hard links, through which a write into a checkout would change the cache.
 */
export async function copyInto(files: string, dir: string): Promise<boolean> {
  try {
    // Tools asked for their version may run the checkout's own code: through a link it left, `cp` would write anywhere.
    await execFile("cp", ["-a", "--remove-destination", ...reflink, "--", `${files}/.`, dir]);
    return true;
  } catch {
    return false;
  }
}

/** Where the result of a set-up may be kept, and under which name. */
export interface Reuse {
  readonly cache: SetupCache;
  readonly key: SetupKey;
}

/** What a checkout found in the cache; one that found nothing reports when its own set-up is done. */
export interface Turn {
  /** What set-up made; undefined if it is not in the cache. */
  readonly found: KeptSetup | undefined;
  readonly done: () => void;
}

/** Whose turn it is. */
interface Asking {
  readonly commit: string;
  readonly signal: AbortSignal;
  /** Lets people see by name what takes long. */
  readonly shown: <T>(name: string, work: () => Promise<T>) => Promise<T>;
}

/**
 * Finds an entry, or the turn to fill it: lanes that begin together would all run the same set-up. Others wait for that
 * one once; if nothing came of it, each sets up by itself.
 */
export async function findOrFill(reuse: Reuse, { commit, signal, shown }: Asking): Promise<Turn> {
  const find = async () => await shown("looking for an earlier set-up", () => findEntry(reuse));
  const found = await find();
  const owner = reuse.cache.keepFor(commit);
  if (found !== undefined || owner === undefined) return { found, done: () => undefined };
  const entry = entryOf(reuse.cache, owner, reuse.key);
  const other = filling.get(entry);
  if (other === undefined) return { found, done: beginFilling(entry) };
  await shown("waiting for the same set-up in another checkout", () => settledOrAborted(other, signal));
  return { found: await find(), done: () => undefined };
}

/** Maps each entry to the end of the set-up that is filling it. */
const filling = new Map<string, Promise<void>>();

function beginFilling(entry: string): () => void {
  let done = (): void => undefined;
  filling.set(entry, new Promise((resolve) => (done = resolve)));
  return () => {
    filling.delete(entry);
    done();
  };
}

async function settledOrAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  let leave = (): void => undefined;
  const aborted = new Promise<void>((resolve) => (leave = resolve));
  signal.addEventListener("abort", leave);
  await Promise.race([work, aborted]);
  signal.removeEventListener("abort", leave);
  signal.throwIfAborted();
}

/** Keeps what set-up made; any failure only means that the next checkout is set up by itself. */
export async function keepInCache(
  { cache, key }: Reuse,
  made: {
    readonly dir: string;
    readonly commit: string;
    readonly untracked: Untracked;
    readonly home?: string | undefined;
  },
): Promise<void> {
  const owner = cache.keepFor(made.commit);
  const tops = topsOf(made.untracked);
  if (owner === undefined || tops === undefined || (tops.length === 0 && made.home === undefined)) return;
  const aside = join(cache.dir, `aside-${randomBytes(6).toString("hex")}`);
  try {
    const { files, home } = foldersIn(aside);
    await mkdir(files, { recursive: true, mode: 0o700 });
    await copyTops(made.dir, files, tops);
    if (made.home !== undefined) await execFile("cp", [...copying, "--", made.home, home]);
    const signatures = signaturesOf(aside);
    await writeFile(join(aside, manifestFile), JSON.stringify(signatures), { mode: 0o600 });
    await writeFile(join(aside, sizeFile), String(bytesOf(signatures)), { mode: 0o600 });
    // Before it can be found under its name, all of it is on the disk.
    await execFile("sync", ["-f", aside]);
    const entry = entryOf(cache, owner, key);
    // Another process may have been faster, and a third may be copying from it.
    if (await isWhole(entry)) return;
    await removeTree(entry);
    await rename(aside, entry);
    await removeOldest(cache.dir);
  } catch {
    // Another process did the same at this moment, or the disk is full: what is there already is as good.
  } finally {
    await removeTree(aside).catch(() => undefined);
  }
}

/** Lists entries that were not used for long, and what a process that died left. */
export async function unusedEntries(dir: string, now: number): Promise<string[]> {
  const names = await readdir(dir).catch(() => []);
  const entries = await Promise.all(
    names.filter((name) => entryName.test(name)).map((name) => lookAt(join(dir, name))),
  );
  const { setupCacheUnusedMsMax, setupTimeoutMs } = workspaceLimits;
  const isUnused = ({ path, usedAt }: (typeof entries)[number]) =>
    now - usedAt > (path.includes("/aside-") ? setupTimeoutMs : setupCacheUnusedMsMax);
  return entries.filter(isUnused).map(({ path }) => path);
}

const entryName = /^(?:[0-9a-f]{64}|aside-[0-9a-f]{12})$/;

const reflink = process.platform === "linux" ? ["--reflink=auto"] : [];

/** Attributes that a program set could hide files of a commit, where this folder is laid above them. */
const copying = ["-a", "--no-preserve=xattr", ...reflink];

const manifestFile = "manifest.json";

/** The size of an entry is stored, because it is read each time the cache is bounded, and examining thousands of files would take too long. */
const sizeFile = "bytes";

function entryOf({ dir }: SetupCache, owner: string, key: SetupKey): string {
  return join(
    dir,
    createHash("sha256")
      .update(JSON.stringify([owner, key]))
      .digest("hex"),
  );
}

/** Whether nothing in the entry was changed since it was written: no program can set a file's time of last change. */
async function isWhole(entry: string): Promise<boolean> {
  try {
    const manifest = await readFile(join(entry, manifestFile), "utf8");
    return manifest === JSON.stringify(signaturesOf(entry));
  } catch {
    return false;
  }
}

function foldersIn(entry: string): Record<keyof KeptSetup, string> {
  return { files: join(entry, "files"), home: join(entry, "home") };
}

function signaturesOf(entry: string): Signatures {
  return Object.values(foldersIn(entry)).flatMap((folder) => (existsSync(folder) ? signaturesIn(folder) : []));
}

type Signatures = readonly (readonly [path: string, signature: string])[];

/** Lists every file and folder below, in a fixed order, with what would show a change. */
function signaturesIn(dir: string): Signatures {
  const found: [string, string][] = [];
  const waiting = [""];
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    const path = Buffer.concat([Buffer.from(`${dir}/`), Buffer.from(folder, "latin1")]);
    for (const entry of readdirSync(path, { encoding: "latin1", withFileTypes: true })) {
      const name = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) waiting.push(name);
      const file = Buffer.concat([Buffer.from(`${dir}/`), Buffer.from(name, "latin1")]);
      const { ino, size, mode, ctimeNs } = lstatSync(file, { bigint: true });
      found.push([name, `${ino} ${size} ${mode} ${ctimeNs}`]);
    }
  }
  return found.toSorted(([a], [b]) => (a < b ? -1 : 1));
}

/** Lists what set-up made, without the content of folders it made; undefined if a name cannot be an argument. */
function topsOf(untracked: Untracked): string[] | undefined {
  const tops = [...untracked.keys()].filter(
    (path) => !untracked.has(path.slice(0, Math.max(0, path.lastIndexOf("/")))),
  );
  const names = tops.map((path) => Buffer.from(path, "latin1").toString("utf8"));
  const isText = names.every((name, at) => Buffer.from(name).toString("latin1") === tops[at]);
  return isText ? names : undefined;
}

async function copyTops(from: string, to: string, tops: readonly string[]): Promise<void> {
  for (let at = 0; at < tops.length; at += copiedAtOnce) {
    const copy = ["cp", ...copying, "--parents", "-t", to, "--", ...tops.slice(at, at + copiedAtOnce)];
    await execFile("sh", ["-c", 'cd "$0" && exec "$@"', from, ...copy]);
  }
}

/** How many paths one command gets, because the length of a command line is limited. */
const copiedAtOnce = 200;

/** Bounds the cache by count and by size; the entries that were used last stay. */
async function removeOldest(dir: string): Promise<void> {
  const names = await readdir(dir);
  const entries = await Promise.all(names.map((name) => lookAt(join(dir, name))));
  const { setupCacheBytesMax, setupCacheEntriesMax, setupTimeoutMs } = workspaceLimits;
  let bytes = 0;
  for (const [at, { path, usedAt, size }] of entries.toSorted((a, b) => b.usedAt - a.usedAt).entries()) {
    bytes += size;
    const isAbandoned = path.includes("/aside-") && Date.now() - usedAt > setupTimeoutMs;
    if (at >= setupCacheEntriesMax || bytes > setupCacheBytesMax || isAbandoned) await removeTree(path);
  }
}

/** Reads an entry's age and size; one that another process removes meanwhile counts as old and empty. */
async function lookAt(path: string) {
  const usedAt = await stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );
  const size = Number(await readFile(join(path, sizeFile), "utf8").catch(() => "0"));
  return { path, usedAt, size };
}

function bytesOf(signatures: Signatures): number {
  return signatures.reduce((sum, [, signature]) => sum + Number(signature.split(" ")[1]), 0);
}
