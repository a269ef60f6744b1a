import { closeSync, constants, fstatSync, lstatSync, openSync, readlinkSync, readSync } from "node:fs";
import { open } from "node:fs/promises";
import { setImmediate } from "node:timers/promises";
import type { IndexEntry } from "../git/index-file.ts";
import { objectId, type ObjectFormat } from "../git/names.ts";

/** What is at a path: git's mode and the object name of its bytes, or why there are none. */
export type Fingerprint = string;

/** How many files are hashed between two turns of the event loop: synchronous reads are three times as fast, but other work must continue. */
const filesPerTurn = 250;

/** Fingerprints tracked files from their bytes; sizes and times are not trusted, because code under check can set them. */
export async function fingerprints(
  dir: string,
  entries: readonly IndexEntry[],
  format: ObjectFormat,
): Promise<Map<IndexEntry, Fingerprint>> {
  const isFolder = folderTest(dir);
  const found = new Map<IndexEntry, Fingerprint>();
  let count = 0;
  for (const entry of entries) {
    const parent = entry.rawPath.slice(0, Math.max(0, entry.rawPath.lastIndexOf("/")));
    found.set(entry, isFolder(parent) ? fingerprintOf(pathIn(dir, entry.rawPath), format) : "no-folder");
    if (++count % filesPerTurn === 0) await setImmediate();
  }
  return found;
}

/** Returns the fingerprint of what git writes for an entry to which no conversion applies. */
export function expectedOf(entry: IndexEntry): Fingerprint {
  return `${entry.mode.toString(8)} ${entry.oid}`;
}

/** Returns a path for the file system; it is in bytes if the name is not plain ASCII. */
export function pathIn(dir: string, rawPath: string): string | Buffer {
  // oxlint-disable-next-line no-control-regex
  if (/^[\0-\x7f]*$/.test(rawPath)) return `${dir}/${rawPath}`;
  return Buffer.concat([Buffer.from(`${dir}/`), Buffer.from(rawPath, "latin1")]);
}

/** Reads a file that untrusted code may have replaced; a pipe in its place would otherwise block for ever. */
export async function readRegularFile(path: string): Promise<Buffer> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  try {
    if (!(await handle.stat()).isFile()) throw new Error(`${path} is no longer a regular file.`);
    return await handle.readFile();
  } finally {
    await handle.close();
  }
}

/** Returns a test for real folders: a linked folder could have the right files now and others later, so every folder on the way must be real. */
function folderTest(dir: string): (rawPath: string) => boolean {
  const known = new Map<string, boolean>([["", true]]);
  const isFolder = (rawPath: string): boolean => {
    const answer = known.get(rawPath);
    if (answer !== undefined) return answer;
    const parent = rawPath.slice(0, Math.max(0, rawPath.lastIndexOf("/")));
    const real =
      isFolder(parent) && (lstatSync(pathIn(dir, rawPath), { throwIfNoEntry: false })?.isDirectory() ?? false);
    known.set(rawPath, real);
    return real;
  };
  return (rawPath) => {
    try {
      return isFolder(rawPath);
    } catch {
      return false;
    }
  };
}

function fingerprintOf(path: string | Buffer, format: ObjectFormat): Fingerprint {
  let file: number;
  try {
    // Never follows a link, never waits for the other end of a pipe.
    file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ELOOP" ? linkOf(path, format) : "unreadable";
  }
  try {
    return contentOf(file, format);
  } catch {
    return "unreadable";
  } finally {
    closeSync(file);
  }
}

function contentOf(file: number, format: ObjectFormat): Fingerprint {
  const stat = fstatSync(file);
  if (!stat.isFile()) return "not-a-file";
  const bytes = Buffer.allocUnsafe(stat.size);
  let at = 0;
  while (at < bytes.length) {
    const count = readSync(file, bytes, at, bytes.length - at, null);
    if (count === 0) return "unreadable";
    at += count;
  }
  return `${stat.mode & 0o100 ? "100755" : "100644"} ${objectId(format, "blob", bytes)}`;
}

function linkOf(path: string | Buffer, format: ObjectFormat): Fingerprint {
  try {
    return `120000 ${objectId(format, "blob", readlinkSync(path, { encoding: "buffer" }))}`;
  } catch {
    return "unreadable";
  }
}
