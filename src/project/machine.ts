import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { watch, type FSWatcher } from "node:fs";
import { realFiles, type FilePort } from "../journal/file-port.ts";
import { realLockPort } from "../journal/flock.ts";
import type { LockPort } from "../journal/lock.ts";
import { processLimits } from "../process/limits.ts";
import { projectLimits } from "./limits.ts";

/** The machine under journals, locks, commands and waits. The simulator brings its own. */
export interface Machine {
  readonly files: FilePort;
  readonly locks: LockPort;
  readonly clock: ClockPort;
  /** Calls `wake` at every change in a folder, and now and then without one, until the returned function is called. */
  readonly watch: (folder: string, wake: () => void) => () => void;
  /** Returns a unique name. */
  readonly newId: () => string;
}

export interface ClockPort {
  /** The wall-clock time, which a user may change. */
  readonly now: () => string;
  /** Milliseconds of the monotonic clock. */
  readonly elapsed: () => number;
  /** Calls `wake` after that many milliseconds, unless the returned function is called first. */
  readonly after: (ms: number, wake: () => void) => () => void;
  /** Resolves at that time or when the signal aborts, whichever is first. */
  readonly waitUntil: (time: string, signal: AbortSignal) => Promise<void>;
}

export const realClock: ClockPort = {
  now: () => new Date().toISOString(),
  elapsed: () => performance.now(),
  after: (ms, wake) => {
    const timer = setTimeout(wake, ms);
    return () => clearTimeout(timer);
  },
  waitUntil: async (time, signal) => {
    for (;;) {
      // The wall clock is asked again each time: it may be set, and a laptop may sleep.
      const left = Date.parse(time) - Date.now();
      if (!(left > 0) || signal.aborted) return;
      await sleep(Math.min(left, projectLimits.clockLookMs, processLimits.timerMsMax), undefined, { signal }).catch(
        () => undefined,
      );
    }
  },
};

/** Calls `wake` at every change in a folder, and now and then without one: not every file system reports changes, and watches can run out. */
export function watchFolder(folder: string, wake: () => void): () => void {
  const timer = setInterval(wake, projectLimits.commandLookMs);
  let watcher: FSWatcher | undefined;
  try {
    watcher = watch(folder, wake);
    watcher.on("error", () => watcher?.close());
  } catch {
    // The timer alone is slower, and enough.
  }
  return () => {
    clearInterval(timer);
    watcher?.close();
  };
}

export const realMachine: Machine = {
  files: realFiles,
  locks: realLockPort,
  clock: realClock,
  watch: watchFolder,
  newId: randomUUID,
};
