import { setTimeout as sleep } from "node:timers/promises";
import { realClock, type ClockPort } from "../../src/project/machine.ts";

/** A minute in a second while something is done, an hour in a second while the run waits. */
const speeds = { work: 60, wait: 3600 };

/** A clock that goes on from a time and runs faster than the world; all else of a night is real. */
export function nightClock(from: string): ClockPort {
  let at = Date.parse(from);
  let seen = performance.now();
  let speed = speeds.work;
  const advance = (): number => {
    const now = performance.now();
    at += (now - seen) * speed;
    seen = now;
    return at;
  };
  return {
    ...realClock,
    now: () => new Date(advance()).toISOString(),
    waitUntil: async (time, signal) => {
      const due = Date.parse(time);
      advance();
      speed = speeds.wait;
      while (advance() < due && !signal.aborted) {
        await sleep(Math.ceil((due - at) / speed), undefined, { signal }).catch(() => undefined);
      }
      speed = speeds.work;
    },
  };
}
