import { setTimeout as sleep } from "node:timers/promises";
import { processLimits } from "../process/limits.ts";
import { projectLimits } from "./limits.ts";

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
