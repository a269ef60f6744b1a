import { basename, dirname } from "node:path";
import type { FilePort } from "./file-port.ts";
import { attempt, writeNewFile } from "./io.ts";

/** How many bytes were cut from a journal's end, and the file that holds them now. */
export interface Repair {
  readonly bytes: number;
  readonly keptAt: string;
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

/** The error for a tail that was no torn write: a process without the lock was just writing that line, and may have reported it since. */
function busy(): Error {
  return Object.assign(new Error("EBUSY: another process writes to it"), { code: "EBUSY" });
}

function nextNumber(files: FilePort, path: string): number {
  const prefix = `${basename(path)}.torn-`;
  const kept = files.readdir(dirname(path)).filter((name) => name.startsWith(prefix));
  const numbers = kept.map((name) => Number(name.slice(prefix.length))).filter((n) => Number.isSafeInteger(n));
  return Math.max(0, ...numbers) + 1;
}
