import type { RunEvent } from "../engine/events.ts";
import type { RunState } from "../engine/state.ts";
import { limits } from "../limits.ts";
import { renderProgress } from "../report/progress.ts";
import type { Ports } from "./ports.ts";

/** Events after which nothing may happen for long: what they say is written at once. */
const lasting: ReadonlySet<RunEvent["type"]> = new Set(["parked", "paused", "stopped", "run-finished"]);

/**
 * Keeps progress.md up to date: told of every event, it writes at once if it has not just done so, else a moment later.
 * Nothing depends on it: what cannot be written, on a full disk say, is not.
 */
export function progressKeeper(
  { clock, documents }: Pick<Ports, "clock" | "documents">,
  { state, stillOwn }: { readonly state: RunState; readonly stillOwn: () => boolean },
): (event: RunEvent) => void {
  let due = Number.NEGATIVE_INFINITY;
  let forget: (() => void) | undefined;
  const write = () => {
    forget?.();
    forget = undefined;
    const begun = clock.elapsed();
    try {
      documents.write(`${documents.runDir}/progress.md`, renderProgress(state, clock.now()));
    } catch {
      // The journal has it already.
    }
    const ended = clock.elapsed();
    due = ended + Math.max(limits.progressMs, (ended - begun) / limits.progressShareMax);
  };
  return ({ type }) => {
    const wait = due - clock.elapsed();
    if (wait <= 0 || lasting.has(type)) return write();
    // A driver that has ended, or lost the run to another, writes nothing more.
    forget ??= clock.after(wait, () => (stillOwn() ? write() : (forget = undefined)));
  };
}
