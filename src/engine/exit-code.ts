import { isAskedUnproven } from "./asked.ts";
import type { ParkReason } from "./events.ts";
import { isUnpublished } from "./push.ts";
import type { RunState } from "./state.ts";

/** The documented exit codes; every command ends with one of these. */
export const exitCodes = {
  done: 0,
  internal: 1,
  usage: 2,
  person: 3,
  red: 4,
  budget: 5,
  limit: 75,
  interrupted: 130,
} as const;

/** Returns the code that a driver ends with when nothing is left to do. `isMerged` means that the user's own branch has the work. */
export function exitCode(state: RunState, { isMerged = false }: { readonly isMerged?: boolean } = {}): number {
  // Work that is not on the run's branch waits for a person, whatever else is done, unless they have merged it already.
  const done = isUnpublished(state) && !isMerged ? exitCodes.person : exitCodes.done;
  if (state.finished !== null) return state.finished === "done" ? done : exitCodes.person;
  if (state.stopped !== null) return exitCodes.interrupted;
  if (state.parked === null) return exitCodes.internal;
  // As with a whole plan, checks that were green before any work prove nothing.
  if (state.parked.reason === "rest") return isAskedUnproven(state) ? exitCodes.person : done;
  return parkCode[state.parked.reason];
}

const parkCode: Record<Exclude<ParkReason, "rest">, number> = {
  blocked: exitCodes.person,
  question: exitCodes.person,
  taken: exitCodes.person,
  "broken-check": exitCodes.red,
  "final-red": exitCodes.red,
  budget: exitCodes.budget,
  limit: exitCodes.limit,
  overloaded: exitCodes.limit,
  auth: exitCodes.person,
  agent: exitCodes.person,
  moved: exitCodes.internal,
};
