import { isAskedUnproven } from "./asked.ts";
import type { ParkReason } from "./events.ts";
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

/** Returns the code that a driver ends with when nothing is left to do. */
export function exitCode(state: RunState): number {
  if (state.finished !== null) return state.finished === "done" ? exitCodes.done : exitCodes.person;
  if (state.stopped !== null) return exitCodes.interrupted;
  if (state.parked === null) return exitCodes.internal;
  // As with a whole plan, checks that were green before any work prove nothing.
  if (state.parked.reason === "rest" && isAskedUnproven(state)) return exitCodes.person;
  return parkCode[state.parked.reason];
}

const parkCode: Record<ParkReason, number> = {
  blocked: exitCodes.person,
  question: exitCodes.person,
  taken: exitCodes.person,
  rest: exitCodes.done,
  "broken-check": exitCodes.red,
  "final-red": exitCodes.red,
  budget: exitCodes.budget,
  limit: exitCodes.limit,
  overloaded: exitCodes.limit,
  auth: exitCodes.person,
  agent: exitCodes.person,
  moved: exitCodes.internal,
};
