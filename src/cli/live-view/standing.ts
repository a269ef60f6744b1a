import { whyRunCapped } from "../../engine/budget.ts";
import type { ParkReason } from "../../engine/events.ts";
import type { RunState } from "../../engine/state.ts";
import { higherCap, nextSteps } from "../../report/next-steps.ts";
import type { Scene } from "./scene.ts";
import { clock, localTime, shown } from "./words.ts";

/** How the run stands, in one word. */
export interface Standing {
  readonly word: string;
  readonly tone: "good" | "wait" | "bad";
}

/** A driver that is gone comes before what the journal says last. */
export function standingOf({ state, driver, isStopping }: Scene): Standing {
  if (state.finished !== null)
    return state.finished === "done" ? { word: "finished", tone: "good" } : { word: "unproven", tone: "wait" };
  if (driver === null) return { word: "not driven", tone: "bad" };
  if (isStopping || state.stopped !== null) return { word: "stopping", tone: "wait" };
  if (state.paused) return { word: "paused", tone: "wait" };
  return state.parked === null ? { word: "running", tone: "good" } : { word: "waiting", tone: "wait" };
}

/** What a person has to know besides: why nothing goes on, until when, and what to type. */
export function notesOf({ state, driver, isStopping, now, hasKeys }: Scene): string[] {
  const { parked, paused, finished, run, stopped } = state;
  if (finished !== null) return [];
  if (driver === null) {
    const why = parked === null ? (stopped ?? "it was interrupted") : `${reasons[parked.reason]}: ${parked.why}`;
    const resume = parked?.reason === "budget" ? nextSteps(state).join(" ") : `\`stint resume ${run}\` goes on.`;
    return [shown(`Nobody drives this run (${why}). ${resume}`)];
  }
  if (isStopping) return ["Sessions are ended at no cost; everything can be resumed. Ctrl-C again ends at once."];
  if (paused)
    return [`Paused by a person. ${hasKeys ? "p goes on, and so does" : "Go on with"} \`stint resume ${run}\`.`];
  if (parked === null) return cappedNotes(state);
  const until = parked.until === null ? "" : ` until ${localTime(parked.until, now)}`;
  const left = parked.until === null ? "" : ` (${clock(Date.parse(parked.until) - now)} left)`;
  return [shown(`Waits${until}${left}: ${reasons[parked.reason]}. ${parked.why}`)];
}

/** At a cap of the run, what is under way ends and nothing starts; a word from any terminal changes that. */
function cappedNotes(state: RunState): string[] {
  const why = whyRunCapped(state);
  if (why === undefined) return [];
  const { budgetUsd } = state.settings;
  const raise = budgetUsd !== null && state.usage.usd >= budgetUsd ? ` ${higherCap(state)} raises the cap.` : "";
  return [`No further session starts: ${why}.${raise}`];
}

const reasons: Record<ParkReason, string> = {
  blocked: "blocked",
  question: "a question is open",
  taken: "in a person's hands",
  "broken-check": "a check is broken",
  "final-red": "the final checks are red",
  budget: "the budget is reached",
  limit: "usage limit",
  overloaded: "the agent's service is overloaded",
  auth: "the agent is not logged in",
  agent: "the agent is set up wrongly",
  moved: "a ref was moved",
  rest: "the rest was not asked for",
};
