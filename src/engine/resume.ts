import { leaveUnasked } from "./asked.ts";
import type { EventOf } from "./events.ts";
import { forgetRefusals } from "./judging.ts";
import { setPaused } from "./people.ts";
import { onlyCulprits } from "./regressions.ts";
import type { RunState } from "./state.ts";

/** A run is resumed by another driver, or by the same one after a wait or a pause: it checks again what held it up. */
export function resume(state: RunState, event: EventOf<"resumed">) {
  state.settings = event.settings;
  if (state.settings.only?.length !== 0) state.asked = state.settings.only;
  state.parked = null;
  state.stopped = null;
  setPaused(state, null);
  state.holds.clear();
  if (event.why === "driver-started") {
    state.holdStreak = 0;
    // Set-up, variables and programs may have changed: what was green under an earlier driver is checked again.
    state.proven.clear();
  }
  // A wait counts when it is over: one that a command cut short and that starts over is still the same wait.
  if (event.why === "wait-over") state.holdStreak += 1;
  if (state.finalVerified?.ok === false) {
    forgetRefusals(state);
    state.finalVerified = null;
  }
  state.bisected = onlyCulprits(state.bisected);
  if (state.push !== null && state.push.failed !== null) state.push = null;
  if (state.publication?.deferred !== null) state.publication = null;
  leaveUnasked(state);
}

/** A raised cap applies until another one is given, like a cap on the command line. */
export function raiseCap(state: RunState, { budgetUsd }: EventOf<"cap-raised">) {
  state.settings = { ...state.settings, budgetUsd, askedUsd: budgetUsd };
  if (state.parked?.reason === "budget") state.parked = null;
}
