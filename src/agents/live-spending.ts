import { whyRunCapped, whyTaskCapped } from "../engine/budget.ts";
import type { Spending } from "../engine/session.ts";
import { noSpending } from "../engine/spending.ts";
import type { RunState } from "../engine/state.ts";
import { agentsLimits } from "./limits.ts";
import type { ClockPort } from "../project/clock.ts";

/** One session under way: what it has used so far, and how to end it. */
export interface LiveSession {
  spending: Spending;
  readonly stop: (why: string) => void;
}

/** By task. */
export type LiveSessions = Map<string, LiveSession>;

/** In the place of a task, for a session about the whole plan. */
export const ofPlan = "";

/** Ends every session that may not go on, because recorded and live spending together have reached a cap. */
export function enforceCaps(state: RunState, live: LiveSessions): void {
  for (const [task, { stop }] of live) {
    const why = whyCapped(state, live, task);
    if (why !== undefined) stop(why);
  }
}

/** Why the session of this task may not go on, or undefined. */
export function whyCapped(state: RunState, live: LiveSessions, task: string): string | undefined {
  const spendings = new Map([...live].map(([of, { spending }]) => [of, spending]));
  return whyRunCapped(state, spendings) ?? (task === ofPlan ? undefined : whyTaskCapped(state, task, spendings));
}

/**
 * A switch that a cap can throw; what a session is charged for with its last word must not cost it its work. Nor is it
 * thrown where the cap was raised meanwhile.
 */
export function capSwitch(
  clock: ClockPort,
  isCapped: () => boolean,
): LiveSession & {
  readonly signal: AbortSignal;
  /** Why it was thrown, or undefined. */
  readonly why: () => string | undefined;
  /** For good. */
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
        if (isCapped()) return controller.abort();
        [unset, why] = [undefined, undefined];
      });
    },
    why: () => (controller.signal.aborted ? why : undefined),
    disarm: () => {
      disarmed = true;
      unset?.();
    },
  };
}
