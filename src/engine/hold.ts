import type { Outcome } from "./session.ts";
import type { Hold } from "./state.ts";
import { unreachable } from "../result.ts";

/** What holds up new sessions after one has ended so; a hold that needs a person is not covered by one that ends by itself. */
export function holdAfter(outcome: Outcome, held: Hold | null): Hold | null {
  const hold = holdOf(outcome);
  return hold === null || (held !== null && needsPerson(held)) ? held : hold;
}

/** No waiting helps: somebody has to log the agent in or correct its settings. */
export function needsPerson({ reason }: Hold): boolean {
  return reason === "auth" || reason === "agent";
}

/** Whether the agent's service has answered: then a limit or an overload before it is over. */
export function showsAnswer({ kind }: Outcome): boolean {
  return kind === "ok" || kind === "refused" || kind === "context";
}

function holdOf(outcome: Outcome): Hold | null {
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
      return null;
    default:
      return unreachable(outcome);
  }
}
