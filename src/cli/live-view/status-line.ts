import { whyRunCapped } from "../../engine/budget.ts";
import type { ParkReason } from "../../engine/events.ts";
import type { RunState } from "../../engine/state.ts";
import { higherCap, nextSteps } from "../../report/next-steps.ts";
import type { Snapshot } from "./snapshot.ts";
import { clock, localTime, shown } from "./format.ts";

/** The state of the run, in one word. */
export interface Status {
  readonly word: string;
  readonly tone: "good" | "wait" | "bad";
}

/** That no process drives the run matters more than what the journal says last. */
export function statusOf({ state, driver, isStopping }: Snapshot): Status {
  if (state.finished !== null)
    return state.finished === "done" ? { word: "finished", tone: "good" } : { word: "unproven", tone: "wait" };
  if (driver === null) return { word: "not running", tone: "bad" };
  if (isStopping || state.stopped !== null) return { word: "stopping", tone: "wait" };
  if (state.paused) return { word: "paused", tone: "wait" };
  return state.parked === null ? { word: "running", tone: "good" } : { word: "waiting", tone: "wait" };
}

/** What else a person has to know: why nothing happens, until when, and what to type. */
export function notesOf({ state, driver, isStopping, now, hasKeys }: Snapshot): string[] {
  const { parked, paused, finished, run, stopped } = state;
  if (finished !== null) return [];
  if (driver === null) {
    const why = parked === null ? (stopped ?? "interrupted") : `${reasons[parked.reason]}: ${parked.why}`;
    const resume = parked?.reason === "budget" ? nextSteps(state).join(" ") : `Resume it: \`stint resume ${run}\``;
    return [shown(`Not running (${why}). ${resume}`)];
  }
  if (isStopping)
    return [
      "Stopping agents, which does not count as an attempt; everything can be resumed. Ctrl-C again quits at once.",
    ];
  if (paused) return [`Paused by a person. Resume it with ${hasKeys ? "p or " : ""}\`stint resume ${run}\`.`];
  if (parked === null) return cappedNotes(state);
  const until = parked.until === null ? "" : ` until ${localTime(parked.until, now)}`;
  const left = parked.until === null ? "" : ` (${clock(Date.parse(parked.until) - now)} left)`;
  return [shown(`Waiting${until}${left}: ${reasons[parked.reason]}. ${parked.why}`)];
}

/** At a cap of the run, running agents end and none starts; the cap can be raised from any terminal. */
function cappedNotes(state: RunState): string[] {
  const why = whyRunCapped(state);
  if (why === undefined) return [];
  const { budgetUsd } = state.settings;
  const raise = budgetUsd !== null && state.usage.usd >= budgetUsd ? ` Raise the cap: ${higherCap(state)}` : "";
  return [`No more agents are started: ${why}.${raise}`];
}

const reasons: Record<ParkReason, string> = {
  blocked: "blocked",
  question: "a question is open",
  taken: "a task is taken by hand",
  "broken-check": "a check cannot run",
  "final-red": "the final checks failed",
  budget: "budget reached",
  limit: "usage limit",
  overloaded: "the agent's service is overloaded",
  auth: "the agent is not logged in",
  agent: "the agent is misconfigured",
  moved: "a ref was moved",
  rest: "the remaining tasks were not requested",
};
