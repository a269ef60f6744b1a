import type { Outcome } from "./session.ts";

/** Names an outcome for people: a service that nobody reached is not overloaded, although the run waits for it likewise. */
export function outcomeName(outcome: Outcome): string {
  return isOutOfReach(outcome) ? outOfReach : outcome.kind;
}

export const outOfReach = "its service could not be reached";

/** How a person finds a mistyped address, for which waiting does not help. */
export const outOfReachCure = "Check the network, and the base URL and the proxy that the agent is set to use";

/** Whether the agent's own words say that no connection was made. They change only what people read, never what is done. */
export function isOutOfReach(outcome: Outcome): boolean {
  return outcome.kind === "overloaded" && !answered.test(outcome.detail) && unconnected.test(outcome.detail);
}

/** Whether the agent's own words say that the account has no credit, for which another login of the same account does not help. */
export function isUnpaid(outcome: Outcome): boolean {
  return outcome.kind === "auth" && /\bbilling_error\b|^Quota exceeded\./.test(outcome.detail);
}

/** A status proves that something answered, whatever that could not reach itself. */
const answered = /^(?:unexpected status )?\d{3}\b|"code":\d{3}\b/;

const unconnected =
  /connection ?(?:refused|failed)|unable to connect|fetch failed|error sending request|dns error|\b(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)\b/i;
