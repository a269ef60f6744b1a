import { existsSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Rig } from "./rig.ts";

/** A wall clock that a test sets while a driver runs; agents, checks and git keep the real one, as do timers. */
export interface FakeClock {
  /** For the driver: its children get an environment from scratch. */
  readonly env: Record<string, string>;
  /** Moves it against the real one, as `+1d` does, or sets it, as `@1970-01-02 00:00:00` does. */
  readonly set: (time: string) => void;
}

const folders = ["/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/usr/lib"];
const library = folders.map((folder) => join(folder, "faketime", "libfaketime.so.1")).find((file) => existsSync(file));

/** Whether the package faketime is installed. */
export const canFakeClock = library !== undefined;

/** A clock of a rig that shows the real time until it is set. */
export function fakeClock(rig: Rig): FakeClock {
  const file = join(rig.root, "clock");
  const set: FakeClock["set"] = (time) => {
    writeFileSync(`${file}.new`, `${time}\n`);
    renameSync(`${file}.new`, file);
  };
  set("+0");
  const env = {
    LD_PRELOAD: library ?? "",
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_NO_CACHE: "1",
    FAKETIME_DONT_FAKE_MONOTONIC: "1",
    NO_FAKE_STAT: "1",
  };
  return { env, set };
}
