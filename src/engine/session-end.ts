import type { Attempt } from "./attempt.ts";
import type { FailureReason } from "./events.ts";
import { unreachable } from "../base/result.ts";

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
