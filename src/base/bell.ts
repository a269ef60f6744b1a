/** Wakes a waiter whenever something has happened since it last looked, even between looking and waiting. */
export interface Bell {
  readonly ring: () => void;
  /** How often it rang. */
  readonly count: () => number;
  /** Resolves once it has rung more often than that. */
  readonly after: (count: number) => Promise<void>;
}

export function createBell(): Bell {
  let rung = 0;
  let waiting: (() => void)[] = [];
  return {
    ring: () => {
      rung += 1;
      const woken = waiting;
      waiting = [];
      for (const wake of woken) wake();
    },
    count: () => rung,
    after: (count) => (rung > count ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))),
  };
}
