import { holdAfter, showsAnswer } from "./hold.ts";
import type { Outcome, Spending, Usage } from "./session.ts";
import { add, noSpending, spendingOf } from "./spending.ts";
import { taskOf, type RunState } from "./state.ts";
import type { Role } from "../plan/types.ts";

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
