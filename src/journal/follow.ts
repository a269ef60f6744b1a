import { fail, ok, type Failure, type Result } from "../base/result.ts";
import type { FilePort } from "./file-port.ts";
import type { JournalEntry } from "./framing.ts";
import { attempt, ioErrorOf, readToEnd } from "./io.ts";
import { scan, type Cursor, type DamageReason } from "./scan.ts";

export interface Followed {
  readonly entries: readonly JournalEntry[];
  readonly cursor: Cursor;
  /** The lines of the entries as they are in the file. */
  readonly bytes: Buffer;
}

export type FollowFailure = Failure<DamageReason | "missing" | "io">;

/** Reads complete verified lines since the cursor, for processes that do not own the journal; it takes no lock and never repairs. */
export function readFrom(files: FilePort, path: string, cursor: Cursor): Result<Followed, FollowFailure> {
  try {
    if (files.stat(path) === undefined) return fail("missing", `${path} does not exist.`);
    const fd = files.open(path, "read");
    try {
      return readDescriptor({ files, path, fd }, cursor);
    } finally {
      attempt(() => files.close(fd));
    }
  } catch (error) {
    return fail("io", `${path} cannot be read: ${ioErrorOf(error).message}.`);
  }
}

function readDescriptor(
  file: { readonly files: FilePort; readonly path: string; readonly fd: number },
  cursor: Cursor,
): Result<Followed, FollowFailure> {
  const { files, path, fd } = file;
  const { size } = files.fstat(fd);
  if (size < cursor.offset) {
    return fail("damaged", `${path} has ${size} bytes, but ${cursor.offset} were read before. It was left as it is.`);
  }
  const bytes = readToEnd(files, fd, cursor.offset);
  const scanned = scan(path, bytes, cursor);
  if (!scanned.ok) return scanned;
  const { entries, cursor: end } = scanned.value;
  // The writer may still be between its write and its fsync, and what is shown to anyone must survive power loss.
  if (entries.length > 0) files.fsync(fd);
  return ok({ entries, cursor: end, bytes: bytes.subarray(0, end.offset - cursor.offset) });
}
