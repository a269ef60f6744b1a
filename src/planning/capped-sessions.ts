import { whySpent } from "../engine/budget.ts";
import type { Spending } from "../engine/session.ts";
import { add, atLeast, noSpending } from "../engine/spending.ts";
import type { PlanningState } from "./machine/state.ts";
import { capSwitch } from "../agents/live-spending.ts";
import { realMachine } from "../project/machine.ts";
import { noSession, plannerSessions, type PlannerContext } from "./agent-sessions.ts";
import type { PlannerSession, PlannerSessionEnd, PlannerSessionPort } from "./ports.ts";

/** Ends sessions at the budget of the settings; a run that revises its plan has caps of its own. */
export function cappedSessions(
  context: Omit<PlannerContext, "used">,
  state: Pick<PlanningState, "usage">,
): PlannerSessionPort {
  const { usd: budgetUsd = null, tokens: budgetTokens = null } = context.config.budget;
  const why = (live: Spending) => whySpent(add(state.usage, live), { budgetUsd, budgetTokens }) ?? undefined;
  let used: PlannerContext["used"] = () => {};
  const sessions = plannerSessions({ ...context, used: (spending) => used(spending) });
  const run = async (request: PlannerSession): Promise<PlannerSessionEnd> => {
    const before = why(noSpending);
    if (before !== undefined) return { ...noSession, outcome: { kind: "budget", detail: before } };
    const cap = capSwitch(realMachine.clock, () => why(cap.spending) !== undefined);
    used = (spending) => {
      cap.spending = atLeast(spending, cap.spending);
      const reached = why(cap.spending);
      if (reached !== undefined) cap.stop(reached);
    };
    try {
      const end = await sessions.run({ ...request, signal: AbortSignal.any([request.signal, cap.signal]) });
      const detail = request.signal.aborted || end.outcome.kind === "ok" ? undefined : cap.stopReason();
      if (detail === undefined) return end;
      return { ...end, outcome: { kind: "budget", detail }, usage: atLeast(end.usage, cap.spending) };
    } finally {
      cap.disarm();
    }
  };
  return { ...sessions, run };
}
