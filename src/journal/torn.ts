import { unframe } from "./framing.ts";
import { basename, dirname } from "node:path";
import type { FilePort } from "./file-port.ts";
import { attempt, writeNewFile } from "./io.ts";

/** How many bytes were cut from a journal's end, and the file that has them now. */
export interface Repair {
  readonly bytes: number;
  readonly keptAt: string;
}

/**
 * Tells an unfinished write from damage, given everything behind the last good line; a wrong "torn" loses an
 * acknowledged event, a wrong "damaged" costs a person's time, so what is ambiguous is damage.
 *
 * A process killed while writing leaves a prefix of what it wrote: bytes without a final newline. Power loss may in
 * addition keep the new size but lose any sectors of the data, which then read as zeros; a newline may survive among
 * them. We never write a raw NUL, so zeros that fill whole sectors (or whole lines) were never written. Hence the tail
 * is torn when every newline-terminated line in it has such zeros; a fragment behind the last newline is always torn.
 * It is damage when any complete line in it has none: a flipped byte, or good lines behind the zeros, which were either
 * acknowledged or part of one batch written out of order, and nothing can tell which.
 */
export function isTornTail(tail: Buffer, offset: number): boolean {
  let start = 0;
  for (let end = tail.indexOf("\n"); end !== -1; end = tail.indexOf("\n", start)) {
    if (!hasUnwrittenSector(tail.subarray(start, end), offset + start)) return false;
    start = end + 1;
  }
  return !isLineWithBrokenNewline(tail.subarray(start), offset + start);
}

/** A disk writes no smaller unit at once. */
const sectorBytes = 512;

function hasUnwrittenSector(line: Uint8Array, offset: number): boolean {
  const isEdge = (at: number) => at === 0 || at === line.byteLength || (offset + at) % sectorBytes === 0;
  for (let start = line.indexOf(0); start !== -1;) {
    let end = start;
    while (line[end] === 0) end++;
    if (isEdge(start) && isEdge(end)) return true;
    start = line.indexOf(0, end);
  }
  return false;
}

/** Whether the tail is a whole good line and one byte that is not a newline, which cannot come from an unfinished write. */
function isLineWithBrokenNewline(fragment: Uint8Array, offset: number): boolean {
  return unframe(fragment.subarray(0, -1)).ok && !hasUnwrittenSector(fragment, offset);
}

/** Cuts an unfinished write, but only once its bytes are durable elsewhere. */
export function cutTornTail(
  file: { readonly files: FilePort; readonly path: string; readonly fd: number },
  offset: number,
  torn: Uint8Array,
): Repair {
  const { files, path, fd } = file;
  const keptAt = `${path}.torn-${nextNumber(files, path)}`;
  writeNewFile(files, keptAt, torn);
  files.fsyncDir(dirname(path));
  if (files.fstat(fd).size !== offset + torn.byteLength) {
    attempt(() => files.unlink(keptAt));
    throw busy();
  }
  files.ftruncate(fd, offset);
  files.fsync(fd);
  return { bytes: torn.byteLength, keptAt };
}

/** Makes the error for a tail that was no torn write: a process without the lock was just writing that line, and may have reported it since. */
function busy(): Error {
  return Object.assign(new Error("EBUSY: another process writes to it"), { code: "EBUSY" });
}

function nextNumber(files: FilePort, path: string): number {
  const prefix = `${basename(path)}.torn-`;
  const kept = files.readdir(dirname(path)).filter((name) => name.startsWith(prefix));
  const numbers = kept.map((name) => Number(name.slice(prefix.length))).filter((n) => Number.isSafeInteger(n));
  return Math.max(0, ...numbers) + 1;
}
