/** Draws soon, but not too often. */
export interface Pacer {
  readonly soon: () => void;
  readonly now: () => void;
  readonly stop: () => void;
}

/** Draws at once or a moment later, at most once every `leastMs`. */
export function createPacer(draw: () => void, leastMs: number): Pacer {
  let due: NodeJS.Timeout | undefined;
  let drawnAt = 0;
  const now = () => {
    clearTimeout(due);
    due = undefined;
    drawnAt = Date.now();
    draw();
  };
  return {
    // A clock that was set back must not stop the view until then.
    soon: () => (due ??= setTimeout(now, Math.min(leastMs, Math.max(0, drawnAt + leastMs - Date.now()))).unref()),
    now,
    stop: () => clearTimeout(due),
  };
}
