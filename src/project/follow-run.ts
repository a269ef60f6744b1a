import { evolve } from "../engine/evolve.ts";
import type { RunState } from "../engine/state.ts";
import { realFiles } from "../journal/file-port.ts";
import { readFrom } from "../journal/follow.ts";
import { journalStart, type Cursor } from "../journal/scan.ts";
import { ok, type Result } from "../base/result.ts";
import { createBell } from "../base/bell.ts";
import { driverOf } from "./driver-lock.ts";
import { runPaths } from "./paths.ts";
import type { Project } from "./project.ts";
import type { RunEntry } from "../hooks/run-entry.ts";
import { watchFolder } from "./machine.ts";

/** Which part of a run to follow, and until when. */
export interface FollowOptions {
  /** `observe` is called with every event after this one, and with the state that it led to. */
  readonly after: number;
  readonly observe: (entry: RunEntry, state: RunState | undefined) => void;
  readonly isEnough: (state: RunState) => boolean;
  readonly signal: AbortSignal;
  /** Waits also while the run has no driver: another process may resume it. */
  readonly waitAlone?: true;
}

/** Watches a run of another process until its state is as wished, its driver is gone, or the signal aborts. */
export async function followRun(
  { paths }: Pick<Project, "paths">,
  { run, plan }: Pick<RunState, "run" | "plan">,
  options: FollowOptions,
): Promise<Result<RunState | undefined>> {
  let state: RunState | undefined;
  const isLast = () => options.waitAlone !== true && driverOf(paths, plan) === null;
  for await (const batch of newEntries(runPaths(paths, run), { isLast, signal: options.signal })) {
    if (!batch.ok) return batch;
    for (const entry of batch.value) {
      state = evolve(state, entry);
      if (entry.seq > options.after) options.observe(entry, state);
    }
    if (state !== undefined && options.isEnough(state)) break;
  }
  return ok(state);
}

/** Says how long to watch a journal. */
export interface Watching {
  /** Asked before each reading: whether nothing is added any more. */
  readonly isLast: () => boolean;
  readonly signal: AbortSignal;
}

/**
 * Yields what is in a journal, then what is added to it, as it comes, until `isLast` is true or the signal aborts. While
 * the reader asks for no more, nothing is open: a slow reader delays nothing, and one that stops leaves no watch behind.
 */
export async function* newEntries(paths: JournalPath, watching: Watching): AsyncGenerator<Result<readonly RunEntry[]>> {
  let cursor = journalStart;
  for (;;) {
    const { read, isOver } = await look(paths, cursor, watching);
    if (!read.ok) yield read;
    if (!read.ok) return;
    cursor = read.value.cursor;
    const entries = read.value.entries as readonly RunEntry[];
    if (entries.length > 0) yield ok(entries);
    if (isOver) return;
  }
}

/** Which journal to follow, and from where. */
interface Following {
  readonly paths: JournalPath;
  /** Only what comes after this entry is yielded. */
  readonly after: number;
  readonly watching: Watching;
}

/** Yields one event after another; each loop over it reads the journal for itself. A journal that cannot be read throws. */
export function eachEntry({ paths, after, watching }: Following): AsyncIterable<RunEntry> {
  return {
    async *[Symbol.asyncIterator]() {
      for await (const batch of newEntries(paths, watching)) {
        if (!batch.ok) throw new Error(batch.failure.message);
        for (const entry of batch.value) if (entry.seq > after) yield entry;
      }
    },
  };
}

type JournalPath = Pick<ReturnType<typeof runPaths>, "dir" | "journal">;

/** Reads once; where there is nothing new, it waits for a change before it returns. */
async function look({ dir, journal }: JournalPath, cursor: Cursor, { isLast, signal }: Watching) {
  const bell = createBell();
  // First the watch, then whether it is over, then what there is: so nothing is missed in between.
  const unwatch = watchFolder(dir, bell.ring);
  signal.addEventListener("abort", bell.ring);
  try {
    const isOver = signal.aborted || isLast();
    const read = readFrom(realFiles, journal, cursor);
    if (read.ok && read.value.entries.length === 0 && !isOver) await bell.after(0);
    return { read, isOver };
  } finally {
    signal.removeEventListener("abort", bell.ring);
    unwatch();
  }
}
