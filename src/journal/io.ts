import { dirname } from "node:path";
import type { FilePort } from "./file-port.ts";

/** An error of the file system; its code is part of the message that is shown. */
export interface IoError extends Error {
  readonly code: string;
}

/** Narrows to an errno error and rethrows anything else, so that a bug or a simulated crash is never mistaken for a disk fault. */
export function ioErrorOf(error: unknown): IoError {
  if (error instanceof Error && "code" in error && typeof error.code === "string") return error as IoError;
  throw error;
}

/** Writes all bytes or throws; a short count is a failure, because a full disk will not take the rest. */
export function writeWhole(files: FilePort, fd: number, bytes: Uint8Array): void {
  const written = files.write(fd, bytes);
  if (written === bytes.byteLength) return;
  const message = `ESHORTWRITE: only ${written} of ${bytes.byteLength} bytes were written, the disk is probably full`;
  throw Object.assign(new Error(message), { code: "ESHORTWRITE" });
}

/** Reads through one descriptor up to the size it has now, so that a file that is replaced or grows meanwhile does not matter. */
export function readToEnd(files: FilePort, fd: number, from: number): Buffer {
  const bytes = Buffer.allocUnsafe(Math.max(0, files.fstat(fd).size - from));
  let filled = 0;
  while (filled < bytes.byteLength) {
    const count = files.read(fd, bytes.subarray(filled), from + filled);
    if (count === 0) break;
    filled += count;
  }
  return bytes.subarray(0, filled);
}

/** Creates a folder with missing ancestors and makes their names durable, including those left by a process that died before its fsync. */
export function ensureFolder(files: FilePort, path: string): void {
  const parent = dirname(path);
  const isThere = files.stat(path) !== undefined;
  if (!isThere) {
    ensureFolder(files, parent);
    makeFolder(files, path);
  }
  try {
    files.fsyncDir(parent);
  } catch (error) {
    // A folder that we may not list, such as one with the homes of all users, or that is read-only, is one in which we made nothing.
    if (!isThere || !["EACCES", "EROFS"].includes(ioErrorOf(error).code)) throw error;
  }
}

/** Makes a folder unless it exists; another process may do the same at this moment. */
function makeFolder(files: FilePort, path: string): void {
  try {
    files.mkdir(path);
  } catch (error) {
    if (ioErrorOf(error).code !== "EEXIST") throw error;
  }
}

/** Creates a file durably under a new name, or leaves nothing. */
export function writeNewFile(files: FilePort, path: string, bytes: Uint8Array): void {
  const fd = files.open(path, "create");
  try {
    writeWhole(files, fd, bytes);
    files.fsync(fd);
  } catch (error) {
    attempt(() => files.unlink(path));
    throw error;
  } finally {
    files.close(fd);
  }
}

/** Runs clean-up after a failure: a second fault must not hide the first. */
export function attempt(cleanUp: () => void): void {
  try {
    cleanUp();
  } catch (error) {
    ioErrorOf(error);
  }
}
