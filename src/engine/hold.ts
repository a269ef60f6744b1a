import type { Outcome } from "./session.ts";
import type { Hold } from "./state.ts";
import { unreachable } from "../base/result.ts";

/** What holds up new sessions of a role after one has ended so; a hold that needs a person is not covered by one that ends by itself. */
export function holdAfter(outcome: Outcome, held: Hold | undefined): Hold | undefined {
  const hold = holdOf(outcome);
  return hold === undefined || (held !== undefined && needsPerson(held)) ? held : hold;
}

/** What a run that nothing else is left for waits for: first what ends by itself, and of that what may end first. */
export function nextHold(holds: Iterable<Hold>): Hold | undefined {
  const all = [...holds];
  const passing = all.filter((hold) => !needsPerson(hold));
  const [soonest] = passing.toSorted((a, b) => ((a.until ?? "") < (b.until ?? "") ? -1 : 1));
  return soonest ?? all[0];
}

/** No waiting helps: somebody has to log the agent in or correct its settings. */
export function needsPerson({ reason }: Hold): boolean {
  return reason === "auth" || reason === "agent";
}

/** Whether the agent's service has answered: then a limit or an overload before it is over. */
export function showsAnswer({ kind }: Outcome): boolean {
  return kind === "ok" || kind === "refused" || kind === "context";
}

function holdOf(outcome: Outcome): Hold | undefined {
  switch (outcome.kind) {
    case "limit":
      return { reason: "limit", until: outcome.until, why: "the agent's usage limit is reached" };
    case "overloaded":
    case "auth":
      return { reason: outcome.kind, until: null, why: outcome.detail };
    case "misconfigured":
      return { reason: "agent", until: null, why: outcome.detail };
    case "ok":
    case "refused":
    case "context":
    case "timeout":
    case "idle":
    case "crashed":
    case "interrupted":
    case "budget":
      return undefined;
    default:
      return unreachable(outcome);
  }
}
