import { fail, ok, type Failure, type Result } from "../base/result.ts";
import { unframe, zeroHash, type JournalEntry } from "./framing.ts";
import { isTornTail } from "./torn.ts";

/** A place between two lines, with all that is needed to verify the next one. */
export interface Cursor {
  readonly offset: number;
  readonly seq: number;
  readonly epoch: number;
  readonly hash: string;
}

/** A journal is read from here at first, before its first line. */
export const journalStart: Cursor = { offset: 0, seq: 0, epoch: 0, hash: zeroHash };

/** Why a journal cannot be used as it is; the file itself is never touched for these. */
export type DamageReason = "damaged" | "unsupported";

/** The verified lines, where they end, and what an unfinished write left behind them (often nothing). */
export interface Scan {
  readonly entries: readonly JournalEntry[];
  readonly cursor: Cursor;
  readonly torn: Uint8Array;
}

/** Verifies the lines in `bytes`, which begin at the cursor; pure, so that owner and followers come to the same result. */
export function scan(path: string, bytes: Buffer, from: Cursor): Result<Scan, Failure<DamageReason>> {
  const entries: JournalEntry[] = [];
  let cursor = from;
  for (;;) {
    const rest = bytes.subarray(cursor.offset - from.offset);
    const end = rest.indexOf("\n");
    const next = end === -1 ? undefined : nextEntry(rest.subarray(0, end), cursor);
    if (next?.ok) {
      entries.push(next.value);
      cursor = after(cursor, next.value, end + 1);
    } else if (isTornTail(rest, cursor.offset)) {
      return ok({ entries, cursor, torn: rest });
    } else {
      const failure = next?.failure ?? { reason: "damaged", message: "the newline of the last line is damaged" };
      return fail(failure.reason, explain(path, cursor, failure));
    }
  }
}

/** Returns the place after a line of that many bytes, including its newline. */
export function after(cursor: Cursor, entry: JournalEntry, bytes: number): Cursor {
  return { offset: cursor.offset + bytes, seq: entry.seq, epoch: entry.epoch, hash: entry.hash };
}

function nextEntry(line: Uint8Array, cursor: Cursor): Result<JournalEntry, Failure<DamageReason>> {
  const entry = unframe(line);
  if (!entry.ok) return entry;
  const { seq, epoch, prev } = entry.value;
  if (seq !== cursor.seq + 1) return fail("damaged", `seq is ${seq} where ${cursor.seq + 1} was expected`);
  if (prev !== cursor.hash) return fail("damaged", "prev is not the hash of the line before");
  if (epoch < Math.max(1, cursor.epoch)) return fail("damaged", `epoch ${epoch} is lower than ${cursor.epoch}`);
  return entry;
}

function explain(path: string, cursor: Cursor, failure: Failure<DamageReason>): string {
  const place = `at byte ${cursor.offset}, line ${cursor.seq + 1}: ${failure.message}`;
  return failure.reason === "unsupported"
    ? `${path} was written by another version of Stint ${place}. Use that version.`
    : `${path} is damaged ${place}. It was left as it is. Restore it from a copy, or start a new run.`;
}
