import type { Attempt } from "./attempt.ts";
import type { FailureReason } from "./events.ts";
import { unreachable } from "../base/result.ts";
import type { Outcome, Spending, Usage } from "./session.ts";
import { add, noSpending, spendingOf } from "./spending.ts";
import { taskOf, type RunState, type Hold } from "./state.ts";
import type { Role } from "../plan/types.ts";

/** What becomes of an attempt when its session is over. */
export type SessionEnd =
  | { readonly kind: "verify" }
  | { readonly kind: "free" }
  | { readonly kind: "failed"; readonly reason: FailureReason; readonly why: string }
  | { readonly kind: "blocked"; readonly infeasible: boolean; readonly why: string };

/** Sorts outcomes into what is verified, what does not count, what counts as a failed attempt, and what a person must see. */
export function afterSession({ outcome, report }: Pick<Attempt, "outcome" | "report">): SessionEnd {
  if (outcome === null) throw new Error("Internal error: expected an outcome, but was null");
  switch (outcome.kind) {
    case "ok":
      return afterReport(report);
    case "limit":
    case "overloaded":
    case "auth":
    case "misconfigured":
    case "budget":
    case "interrupted":
      return { kind: "free" };
    case "crashed":
    case "timeout":
    case "idle":
    case "refused":
    case "context":
      return { kind: "failed", reason: outcome.kind, why: `the session ${verb[outcome.kind]}: ${outcome.detail}` };
    default:
      return unreachable(outcome);
  }
}

const verb = {
  crashed: "crashed",
  timeout: "ran out of time",
  idle: "went silent and was stopped",
  refused: "was refused by the agent",
  context: "outgrew the agent's context",
} as const;

function afterReport(report: Attempt["report"]): SessionEnd {
  if (report === null || report.status === "done") return { kind: "verify" };
  const why = report.reason || report.summary || "no reason given";
  return { kind: "blocked", infeasible: report.status === "infeasible", why };
}

/** Records what every session leaves behind, whatever it was for: its cost, and whether its agent can work on. */
export function accountFor(
  state: RunState,
  { task, role }: { readonly task: string | null; readonly role: Role },
  { outcome, usage }: { readonly outcome: Outcome; readonly usage: Usage & Partial<Spending> },
) {
  const spent = spendingOf(usage);
  if (task !== null) taskOf(state, task).usage = add(taskOf(state, task).usage, spent);
  state.usage = add(state.usage, spent);
  state.usageByRole.set(role, add(state.usageByRole.get(role) ?? noSpending, spent));
  const hold = holdAfter(outcome, state.holds.get(role));
  if (hold !== undefined) state.holds.set(role, hold);
  if (showsAnswer(outcome)) state.holdStreak = 0;
}

/** Returns what holds up new sessions of a role after one has ended like this. A hold that ends by itself never replaces one that needs a person. */
function holdAfter(outcome: Outcome, held: Hold | undefined): Hold | undefined {
  const hold = holdOf(outcome);
  return hold === undefined || (held !== undefined && needsPerson(held)) ? held : hold;
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

/** Whether waiting does not help: a person has to log the agent in or correct its settings. */
export function needsPerson({ reason }: Hold): boolean {
  return reason === "auth" || reason === "agent";
}

/** Whether the agent's service has answered, which means that an earlier limit or overload is over. */
function showsAnswer({ kind }: Outcome): boolean {
  return kind === "ok" || kind === "refused" || kind === "context";
}
