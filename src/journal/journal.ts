import { dirname } from "node:path";
import { journalLimits } from "./limits.ts";
import { fail, ok, type Failure, type Result } from "../base/result.ts";
import type { FilePort } from "./file-port.ts";
import { frame, parseLine, whyNotAnEvent, type JournalEntry, type JournalEvent } from "./framing.ts";
import { attempt, ensureFolder, ioErrorOf, readToEnd, writeWhole } from "./io.ts";
import { cutTornTail, type Repair } from "./torn.ts";
import { after, journalStart, scan, type Cursor, type DamageReason } from "./scan.ts";

export interface OpenedJournal {
  readonly journal: Journal;
  readonly entries: readonly JournalEntry[];
  /** What was cut when the journal was opened. */
  readonly repaired?: Repair;
}

export type OpenFailure = Failure<DamageReason | "stale-epoch" | "io">;

/** `invalid` leaves the journal usable; after `fenced` or `poisoned` it must be reopened. */
export type AppendFailure = Failure<"invalid" | "fenced" | "poisoned">;

/** Reads, verifies and repairs a journal to append to; the caller has the lock. Without an epoch the last one is raised. */
export function openJournal(
  files: FilePort,
  path: string,
  options: { readonly epoch?: number } = {},
): Result<OpenedJournal, OpenFailure> {
  try {
    ensureFolder(files, dirname(path));
    const fd = files.open(path, "append");
    let opened: Result<OpenedJournal, OpenFailure> | undefined;
    try {
      opened = openDescriptor({ files, path, fd }, options.epoch);
      return opened;
    } finally {
      if (opened?.ok !== true) attempt(() => files.close(fd));
    }
  } catch (error) {
    return fail("io", `${path} cannot be opened: ${ioErrorOf(error).message}. Fix that, then try again.`);
  }
}

/** The only writer of a journal; every entry it returns is on the disk. */
export class Journal {
  readonly epoch: number;
  readonly #file: OpenFile;
  readonly #ino: bigint;
  #cursor: Cursor;
  #stopped: AppendFailure | undefined;

  constructor(file: OpenFile, cursor: Cursor, epoch: number) {
    this.#file = file;
    this.#ino = file.files.fstat(file.fd).ino;
    this.#cursor = cursor;
    this.epoch = epoch;
  }

  /** The place after the last durable line. */
  get cursor(): Cursor {
    return this.#cursor;
  }

  /** Whether it must be reopened before anything can be appended. */
  get isPoisoned(): boolean {
    return this.#stopped !== undefined;
  }

  /** Fails if another process has taken the journal over; called before anything is done that the new owner would not know of. */
  stillOwn(): Result<void, AppendFailure> {
    this.#stopped ??= this.#guarded(() => this.#whyFenced(this.#cursor.offset));
    return this.#stopped === undefined ? ok(undefined) : { ok: false, failure: this.#stopped };
  }

  append<E extends JournalEvent>(event: E, at: string): Result<JournalEntry & E, AppendFailure> {
    if (this.#stopped !== undefined) return { ok: false, failure: this.#stopped };
    const framed = frameNext(event, at, { ...this.#cursor, epoch: this.epoch });
    if (!framed.ok) return framed;
    const { entry, line } = framed.value;
    this.#stopped = this.#write(line);
    if (this.#stopped !== undefined) return { ok: false, failure: this.#stopped };
    this.#cursor = after(this.#cursor, entry, line.byteLength);
    return ok(entry as JournalEntry & E);
  }

  close(): void {
    if (this.#stopped === closed) return;
    this.#stopped = closed;
    this.#file.files.close(this.#file.fd);
  }

  #write(bytes: Uint8Array): AppendFailure | undefined {
    const { files, fd } = this.#file;
    const end = this.#cursor.offset + bytes.byteLength;
    return this.#guarded(() => {
      const before = this.#whyFenced(this.#cursor.offset);
      if (before !== undefined) return before;
      writeWhole(files, fd, bytes);
      this.#makeDurable();
      // Checked again, because another process may have written between the first check and our write.
      return this.#whyFenced(end);
    });
  }

  #guarded(work: () => AppendFailure | undefined): AppendFailure | undefined {
    try {
      return work();
    } catch (error) {
      const cause = ioErrorOf(error).message;
      const fix = "Nothing more is recorded until that is fixed.";
      return { reason: "poisoned", message: `${this.#file.path} could not be written: ${cause}. ${fix}` };
    }
  }

  /** Syncs the file. After a failed fsync the kernel calls the lost pages clean, and a reader would see lines that are not on the disk, so they are cut. */
  #makeDurable(): void {
    const { files, fd } = this.#file;
    try {
      files.fsync(fd);
    } catch (error) {
      attempt(() => files.ftruncate(fd, this.#cursor.offset));
      throw error;
    }
  }

  #whyFenced(expectedSize: number): AppendFailure | undefined {
    const { files, fd, path } = this.#file;
    const size = files.fstat(fd).size;
    const replaced = files.stat(path)?.ino !== this.#ino;
    if (!replaced && size === expectedSize) return undefined;
    const what = replaced ? "was replaced or removed" : `has ${size} bytes where ${expectedSize} were expected`;
    const message = `${path} ${what}: another process drives this run. This one stops; see \`stint status\`.`;
    return { reason: "fenced", message };
  }
}

interface OpenFile {
  readonly files: FilePort;
  readonly path: string;
  readonly fd: number;
}

const closed: AppendFailure = { reason: "poisoned", message: "The journal was closed." };

function openDescriptor(file: OpenFile, wanted: number | undefined): Result<OpenedJournal, OpenFailure> {
  const { files, path, fd } = file;
  const bytes = readToEnd(files, fd, 0);
  const scanned = scan(path, bytes, journalStart);
  if (!scanned.ok) return scanned;
  const { entries, cursor, torn } = scanned.value;
  const epoch = wanted ?? cursor.epoch + 1;
  if (epoch < Math.max(1, cursor.epoch)) {
    return fail("stale-epoch", `${path} is at epoch ${cursor.epoch}; epoch ${epoch} is over.`);
  }
  const repaired = torn.byteLength === 0 ? undefined : cutTornTail(file, cursor.offset, torn);
  rewriteLastLine(file, bytes.subarray(0, cursor.offset));
  // Lines of a process killed before its fsync, and a name whose folder was never synced, become durable before anything is reported.
  files.fsync(fd);
  files.fsyncDir(dirname(path));
  return ok({ journal: new Journal(file, cursor, epoch), entries, ...(repaired && { repaired }) });
}

/** Writes the last line again. Its fsync may have failed before its process was killed: the kernel then believes it is stored, and no fsync would store it. */
function rewriteLastLine({ files, path }: OpenFile, lines: Buffer): void {
  if (lines.byteLength === 0) return;
  const start = lines.lastIndexOf("\n", -2) + 1;
  files.rewrite(path, lines.subarray(start), start);
}

/** Parses the entry back from the line, so that the writer sees exactly what a replay will. */
function frameNext(
  event: JournalEvent,
  at: string,
  cursor: Cursor,
): Result<{ entry: JournalEntry; line: Buffer }, Failure<"invalid">> {
  const why = whyNotAnEvent(event);
  if (why !== undefined) return fail("invalid", `The event cannot be journaled: ${why}.`);
  const { line } = frame({ seq: cursor.seq + 1, epoch: cursor.epoch, at, event }, cursor.hash);
  const bytes = Buffer.from(`${line}\n`);
  const max = journalLimits.journalLineBytesMax;
  if (bytes.byteLength - 1 > max) {
    return fail(
      "invalid",
      `The event "${event.type}" cannot be journaled: ${bytes.byteLength - 1} bytes, at most ${max}.`,
    );
  }
  const entry = parseLine(bytes.subarray(0, -1));
  if (!entry.ok) return fail("invalid", `The event "${event.type}" cannot be journaled: ${entry.failure.message}.`);
  return ok({ entry: entry.value, line: bytes });
}
