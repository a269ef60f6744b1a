import type { Outcome } from "./session.ts";
import type { Hold } from "./state.ts";
import { unreachable } from "../base/result.ts";

/** What holds up new sessions of a role after one has ended like this. A hold that ends by itself never replaces one that needs a person. */
export function holdAfter(outcome: Outcome, held: Hold | undefined): Hold | undefined {
  const hold = holdOf(outcome);
  return hold === undefined || (held !== undefined && needsPerson(held)) ? held : hold;
}

/** The hold that an idle run waits for: one that ends by itself before one that needs a person, and the soonest of them. */
export function nextHold(holds: Iterable<Hold>): Hold | undefined {
  const all = [...holds];
  const passing = all.filter((hold) => !needsPerson(hold));
  const [soonest] = passing.toSorted((a, b) => ((a.until ?? "") < (b.until ?? "") ? -1 : 1));
  return soonest ?? all[0];
}

/** Waiting does not help: a person has to log the agent in or correct its settings. */
export function needsPerson({ reason }: Hold): boolean {
  return reason === "auth" || reason === "agent";
}

/** Whether the agent's service has answered, which means that an earlier limit or overload is over. */
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
