import { whyRunCapped, whyTaskCapped } from "../engine/budget.ts";
import type { Spending } from "../engine/session.ts";
import { noSpending } from "../engine/spending.ts";
import type { RunState } from "../engine/state.ts";
import { agentsLimits } from "./limits.ts";
import type { ClockPort } from "../project/machine.ts";

/** A running session: what it has used so far, and how to stop it. */
export interface LiveSession {
  spending: Spending;
  readonly stop: (why: string) => void;
}

/** The running sessions by task. */
export type LiveSessions = Map<string, LiveSession>;

/** The key of a session about the whole plan, in place of a task. */
export const ofPlan = "";

/** Stops every session whose cap is reached by recorded and live spending together. */
export function enforceCaps(state: RunState, live: LiveSessions): void {
  for (const [task, { stop }] of live) {
    const why = whyCapped(state, live, task);
    if (why !== undefined) stop(why);
  }
}

/** Whether a cap is reached for the session of this task. */
export function isCapped(state: RunState, live: LiveSessions, task: string): boolean {
  return whyCapped(state, live, task) !== undefined;
}

function whyCapped(state: RunState, live: LiveSessions, task: string): string | undefined {
  const spendings = new Map([...live].map(([of, { spending }]) => [of, spending]));
  const ofTask = task === ofPlan ? undefined : whyTaskCapped(state, task, spendings);
  return whyRunCapped(state, spendings) ?? ofTask;
}

/**
 * Makes a switch that a cap can throw. It waits a moment, because the usage that a session reports last must not cost it its
 * work, and does nothing where the cap was raised meanwhile.
 */
export function capSwitch(
  clock: ClockPort,
  isStillCapped: () => boolean,
): LiveSession & {
  readonly signal: AbortSignal;
  /** Why the session was stopped; undefined where the switch was not thrown. */
  readonly stopReason: () => string | undefined;
  /** Turns the switch off for good. */
  readonly disarm: () => void;
} {
  const controller = new AbortController();
  let unset: (() => void) | undefined;
  let why: string | undefined;
  let disarmed = false;
  return {
    spending: noSpending,
    signal: controller.signal,
    stop: (reason) => {
      if (disarmed) return;
      why ??= reason;
      unset ??= clock.after(agentsLimits.budgetGraceMs, () => {
        if (isStillCapped()) return controller.abort();
        [unset, why] = [undefined, undefined];
      });
    },
    stopReason: () => (controller.signal.aborted ? why : undefined),
    disarm: () => {
      disarmed = true;
      unset?.();
    },
  };
}
