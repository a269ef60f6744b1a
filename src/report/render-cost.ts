import { money } from "../engine/budget.ts";
import { spendingOf } from "../engine/spending.ts";
import type { EventOf } from "../engine/events.ts";
import type { Cost, RunSummary } from "../engine/summary.ts";

/** What a run has cost, with its caps, and by role where there are several; nothing where nothing was used. */
export function renderCost({ cost, cost_by_role, budget }: RunSummary): string[] {
  const caps = renderCaps(budget);
  if (isNothing(cost)) return caps === "" ? [] : [`cost: nothing yet (${caps})`];
  const roles = Object.entries(cost_by_role).filter(([, spent]) => !isNothing(spent));
  const byRole = roles.length < 2 ? [] : roles.map(([role, spent]) => `  ${role}: ${costText(spent)}`);
  const inMoney = budget.usd !== null || budget.task_usd !== null;
  const blind = inMoney && cost.unpriced_tokens !== undefined ? [unheldCap] : [];
  return [`cost: ${costText(cost)}${caps === "" ? "" : ` (${caps})`}`, ...byRole, ...blind];
}

const unheldCap = "The cap in USD cannot hold for tokens without a price: set `prices`, or `budget.tokens`.";

/** The caps in words, or an empty text. */
export function renderCaps(budget: RunSummary["budget"]): string {
  const caps = capsIn(budget);
  return caps.length === 0 ? "" : `cap: ${caps.join(", ")}`;
}

/** Each cap that is set. */
export function capsIn({ usd, tokens, task_usd }: RunSummary["budget"]): string[] {
  return [
    ...(usd === null ? [] : [`${money(usd)} USD`]),
    ...(tokens === null ? [] : [`${tokens} tokens`]),
    ...(task_usd === null ? [] : [`${money(task_usd)} USD per task`]),
  ];
}

/** Money first; an unknown price is said, because 0.00 would be a claim. */
export function costText(cost: Cost): string {
  const tokens = `${cost.input_tokens} + ${cost.output_tokens} tokens`;
  const unpriced = cost.unpriced_tokens ?? 0;
  if (unpriced === 0) return `${money(cost.usd)} USD, ${tokens}`;
  if (cost.usd === 0) return `money unknown (the agent tells none and its model has no price), ${tokens}`;
  return `${money(cost.usd)} USD and an unknown amount for ${unpriced} tokens without a price, ${tokens}`;
}

/** What one session used, for the log; empty where nothing is known. */
export function usageText(usage: EventOf<"agent-finished">["usage"]): string {
  const { usd, inputTokens, outputTokens, unpricedTokens } = spendingOf(usage);
  const cost = { usd, input_tokens: inputTokens, output_tokens: outputTokens, unpriced_tokens: unpricedTokens };
  return isNothing(cost) ? "" : costText(cost);
}

/** Neither money nor tokens. */
export function isNothing({ usd, input_tokens, output_tokens }: Cost): boolean {
  return usd === 0 && input_tokens === 0 && output_tokens === 0;
}
