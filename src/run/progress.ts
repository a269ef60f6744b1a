import type { RunEvent } from "../engine/events.ts";
import type { RunState } from "../engine/state.ts";
import { runLimits } from "./limits.ts";
import { renderProgress } from "../report/progress.ts";
import type { Ports } from "./ports.ts";

/** Events after which nothing may happen for long: what they say is written at once. */
const lasting: ReadonlySet<RunEvent["type"]> = new Set(["parked", "paused", "stopped", "run-finished"]);

/** Keeps progress.md up to date. Nothing depends on it: what cannot be written, on a full disk say, is not. */
export interface ProgressKeeper {
  /** Is called with every event; writes at once if it has not just done so, else a moment later. */
  readonly note: (event: RunEvent) => void;
  /** Writes what it has put off, and waits for nothing more: a process that is done must not stay for it. */
  readonly end: () => void;
}

export function progressKeeper(
  { clock, documents }: Pick<Ports, "clock" | "documents">,
  { state, stillOwn }: { readonly state: RunState; readonly stillOwn: () => boolean },
): ProgressKeeper {
  let due = Number.NEGATIVE_INFINITY;
  let forget: (() => void) | undefined;
  const cancel = () => {
    forget?.();
    forget = undefined;
  };
  const write = () => {
    cancel();
    const begun = clock.elapsed();
    try {
      documents.write(`${documents.runDir}/progress.md`, renderProgress(state, clock.now()));
    } catch {
      // The journal has it already.
    }
    const ended = clock.elapsed();
    due = ended + Math.max(runLimits.progressMs, (ended - begun) / runLimits.progressShareMax);
  };
  // A driver that has ended, or lost the run to another, writes nothing more.
  const writeOwn = () => {
    cancel();
    if (stillOwn()) write();
  };
  return {
    note: ({ type }) => {
      const wait = due - clock.elapsed();
      if (wait <= 0 || lasting.has(type)) return write();
      forget ??= clock.after(wait, writeOwn);
    },
    end: () => {
      if (forget !== undefined) writeOwn();
    },
  };
}
