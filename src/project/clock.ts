import { setTimeout as sleep } from "node:timers/promises";
import { limits } from "../base/limits.ts";
import type { ClockPort } from "../run/ports.ts";

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
      await sleep(Math.min(left, limits.clockLookMs, limits.timerMsMax), undefined, { signal }).catch(() => undefined);
    }
  },
};
