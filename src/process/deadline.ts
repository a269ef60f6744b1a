import { processLimits } from "./limits.ts";

/** Calls back once after `ms` of the monotonic clock, so that setting the wall clock ends nothing; returns how to cancel. */
export function after(ms: number, callback: () => void): () => void {
  const due = performance.now() + ms;
  let timer: NodeJS.Timeout;
  const wait = (): void => {
    const left = due - performance.now();
    timer =
      left <= 0 ? setTimeout(callback, 0) : setTimeout(left > processLimits.timerMsMax ? wait : callback, partOf(left));
  };
  wait();
  return () => clearTimeout(timer);
}

/** Waits for the promise, but no longer than `ms`; returns whether it settled in time. */
export async function settlesWithin(promise: Promise<unknown>, ms: number): Promise<boolean> {
  return new Promise((resolve) => {
    const cancel = after(ms, () => resolve(false));
    const settled = (): void => {
      cancel();
      resolve(true);
    };
    promise.then(settled, settled);
  });
}

/** Pauses on the monotonic clock. */
export async function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    after(ms, resolve);
  });
}

function partOf(ms: number): number {
  return Math.min(Math.ceil(ms), processLimits.timerMsMax);
}
