import { createHash, type Hash } from "node:crypto";
import { deserialize, serialize } from "node:v8";
import { ok, type Result } from "../base/result.ts";
import { evolve } from "../engine/evolve.ts";
import { isOver, type RunState } from "../engine/state.ts";
import type { RunEntry } from "../hooks/run-entry.ts";
import { writeDocument } from "../journal/document.ts";
import { realFiles, type FilePort } from "../journal/file-port.ts";
import { readFrom, type FollowFailure } from "../journal/follow.ts";
import type { JournalEntry } from "../journal/framing.ts";
import { attempt, ioErrorOf, readToEnd } from "../journal/io.ts";
import { journalStart, type Cursor } from "../journal/scan.ts";
import { freeze, thaw, type FrozenState } from "./frozen-state.ts";
import { projectLimits } from "./limits.ts";
import type { runPaths } from "./paths.ts";

/** Where a run stands, without the events of what is over. */
export interface Standing {
  /** When its first event was recorded; empty without one. */
  readonly begun: string;
  /** Undefined for a run that died before its first event. */
  readonly state: RunState | undefined;
  /** The events of tasks that are not over, the starts of planners, and the last event of all. */
  readonly open: readonly RunEntry[];
}

/** A standing, the place in the journal that led to it, and the hash of every byte before that place. */
interface Reached extends Standing {
  readonly cursor: Cursor;
  readonly hash: Hash;
}

type Places = Pick<ReturnType<typeof runPaths>, "journal" | "checkpoint">;

/** The disk, and which program reads it: one that folds events in another way must not continue from our state. */
interface Reader {
  readonly files: FilePort;
  readonly program: string;
}

/** The bundler fills this in with a hash of the source. */
declare const STINT_BUILD: string | undefined;

const thisReader: Reader = {
  files: realFiles,
  program: `${typeof STINT_BUILD === "string" ? STINT_BUILD : "source"} ${process.version}`,
};

/**
 * Reads where a run stands, for people; a driver reads and verifies every line itself. A checkpoint spares the lines that
 * an earlier reader verified and folded, if the journal still begins with exactly their bytes.
 */
export function readStanding(places: Places, reader: Reader = thisReader): Result<Standing, FollowFailure> {
  const kept = restore(places, reader);
  const continued = kept === undefined ? undefined : advance(places, kept, reader);
  // What is wrong with a journal, and where, is for a reading of all of it to say.
  return continued?.ok === true ? continued : advance(places, start(), reader);
}

function start(): Reached {
  return { begun: "", state: undefined, open: [], cursor: journalStart, hash: createHash("sha256") };
}

function advance(places: Places, from: Reached, reader: Reader): Result<Standing, FollowFailure> {
  const read = readFrom(reader.files, places.journal, from.cursor);
  if (!read.ok) return read;
  const { cursor, bytes } = read.value;
  const entries = read.value.entries as readonly RunEntry[];
  const state = entries.reduce(evolve, from.state);
  const open = stillOpen([...from.open, ...entries], state);
  const standing = { begun: from.begun || (entries[0]?.at ?? ""), state, open };
  if (bytes.byteLength >= projectLimits.checkpointBytesMin)
    keep(places, { ...standing, cursor, hash: from.hash.update(bytes) }, reader);
  return ok(standing);
}

/** Leaves out what nobody asks about a task that is over; one that a revision removed may come back. */
function stillOpen(entries: readonly RunEntry[], state: RunState | undefined): RunEntry[] {
  const isOpen = (entry: JournalEntry) => {
    const { type, task: id } = entry;
    if (typeof id !== "string") return type === "replan-started";
    const task = state?.tasks.get(id);
    return task === undefined || !isOver(task.phase);
  };
  return entries.filter((entry, index) => index === entries.length - 1 || isOpen(entry));
}

/** What a checkpoint has, behind its seal. */
interface Checkpoint extends Pick<Reached, "begun" | "open" | "cursor"> {
  readonly state: FrozenState;
  /** The hash of the journal up to the cursor. */
  readonly digest: string;
}

/** Writes a checkpoint. If that fails, the next reader takes as long as this one did. */
function keep({ checkpoint }: Places, { begun, state, open, cursor, hash }: Reached, { files, program }: Reader): void {
  if (state === undefined) return;
  const content: Checkpoint = { begun, open, cursor, state: freeze(state), digest: hash.digest("hex") };
  const body = serialize(content);
  writeDocument(files, checkpoint, Buffer.concat([sealOf(body, program), body]));
}

/** Returns what a checkpoint has, if it is whole, of this program, and of this journal. */
function restore({ journal, checkpoint }: Places, { files, program }: Reader): Reached | undefined {
  try {
    const bytes = reading(files, checkpoint, (fd) => readToEnd(files, fd, 0));
    const body = bytes.subarray(sealBytes);
    if (!sealOf(body, program).equals(bytes.subarray(0, sealBytes))) return undefined;
    const { begun, open, cursor, state, digest }: Checkpoint = deserialize(body);
    const hash = reading(files, journal, (fd) => hashOfStart(files, fd, cursor.offset));
    if (hash.copy().digest("hex") !== digest) return undefined;
    return { begun, open, cursor, hash, state: thaw(state) };
  } catch (error) {
    ioErrorOf(error);
    return undefined;
  }
}

const sealBytes = 32;

function sealOf(body: Uint8Array, program: string): Buffer {
  return createHash("sha256").update(`${program}\n`).update(body).digest();
}

function reading<T>(files: FilePort, path: string, read: (fd: number) => T): T {
  const fd = files.open(path, "read");
  try {
    return read(fd);
  } finally {
    attempt(() => files.close(fd));
  }
}

/** Hashes the first bytes of a file, or all of a shorter one. */
function hashOfStart(files: FilePort, fd: number, size: number): Hash {
  const hash = createHash("sha256");
  const piece = Buffer.allocUnsafe(projectLimits.hashedPieceBytes);
  for (let at = 0; at < size;) {
    const count = files.read(fd, piece.subarray(0, Math.min(piece.byteLength, size - at)), at);
    if (count === 0) break;
    hash.update(piece.subarray(0, count));
    at += count;
  }
  return hash;
}
