import { appendFileSync, renameSync, statSync } from "node:fs";
import { join } from "node:path";
import { hooksLimits } from "./limits.ts";
import { shortened, visible } from "../base/visible.ts";

/** The log has a line for every message of a run's hooks; when it is full, a new one is started and the full one kept. */
export interface HookLog {
  readonly file: string;
  readonly note: (line: string) => void;
}

/** Opens the log in the folder of a run. */
export function openHookLog(dir: string): HookLog {
  const file = join(dir, "hooks.log");
  return {
    file,
    note: (line) => {
      try {
        if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) >= hooksLimits.hookLogBytesMax)
          renameSync(file, `${file}.1`);
        const text = shortened(visible(line), hooksLimits.hookLogLineCharsMax);
        appendFileSync(file, `${new Date().toISOString()} ${text}\n`, { mode: 0o600 });
      } catch {
        // A full disk must not end a run for a line of this log.
      }
    },
  };
}
