import { randomUUID } from "node:crypto";
import { type FilePort, realFiles } from "../journal/file-port.ts";
import { realLockPort } from "../journal/flock.ts";
import type { LockPort } from "../journal/lock.ts";
import { realClock } from "./clock.ts";
import type { ClockPort } from "./clock.ts";
import { watchFolder } from "./watch-folder.ts";

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

export const realMachine: Machine = {
  files: realFiles,
  locks: realLockPort,
  clock: realClock,
  watch: watchFolder,
  newId: randomUUID,
};
