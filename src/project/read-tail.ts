import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";

/** The end of a file that may be of any length, or nothing where it cannot be read; a pipe in its place is not waited for. */
export function readTail(file: string, bytesMax: number): { readonly text: string; readonly isWhole: boolean } {
  let fd: number | undefined;
  try {
    fd = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
    const { size } = fstatSync(fd);
    const bytes = Buffer.alloc(Math.min(size, bytesMax));
    const count = readSync(fd, bytes, 0, bytes.length, size - bytes.length);
    return { text: bytes.toString("utf8", 0, count), isWhole: size <= bytesMax };
  } catch {
    return { text: "", isWhole: true };
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}
