import { money } from "../engine/budget.ts";
import { spendingOf } from "../engine/spending.ts";
import type { EventOf } from "../engine/events.ts";
import type { Cost, RunSummary } from "../engine/summary.ts";

/** Says what a run has cost, with its caps, and by role if there are several; it is empty if nothing was used. */
export function renderCost({ cost, cost_by_role, budget }: RunSummary): string[] {
  const caps = renderCaps(budget);
  if (isNothing(cost)) return caps === "" ? [] : [`cost: nothing yet (${caps})`];
  const roles = Object.entries(cost_by_role).filter(([, spent]) => !isNothing(spent));
  const byRole = roles.length < 2 ? [] : roles.map(([role, spent]) => `  ${role}: ${costText(spent)}`);
  const inMoney = budget.usd !== null || budget.task_usd !== null;
  const blind = inMoney && cost.unpriced_tokens !== undefined ? [unheldCap] : [];
  return [`cost: ${amountText(cost)} · ${tokensText(cost)}${caps === "" ? "" : ` (${caps})`}`, ...byRole, ...blind];
}

const unheldCap = "The cap in USD cannot cover unpriced tokens: set `prices`, or `budget.tokens`.";

/** Writes the caps in words; the text is empty if there are none. */
export function renderCaps(budget: RunSummary["budget"]): string {
  const caps = capsIn(budget);
  return caps.length === 0 ? "" : `cap: ${caps.join(", ")}`;
}

/** Lists each cap that is set. */
export function capsIn({ usd, tokens, task_usd }: RunSummary["budget"]): string[] {
  return [
    ...(usd === null ? [] : [`${money(usd)} USD`]),
    ...(tokens === null ? [] : [`${tokens} tokens`]),
    ...(task_usd === null ? [] : [`${money(task_usd)} USD per task`]),
  ];
}

/** Writes the money, then the tokens; an unknown cost is reported as such, because 0.00 would be a claim. */
export function costText(cost: Cost): string {
  return `${isUnknown(cost) ? "cost " : ""}${amountText(cost)} · ${tokensText(cost)}`;
}

/** Writes a count with about three digits: 950, 48.1k, 1.2M. */
export function shortCount(count: number): string {
  if (count < 1000) return String(count);
  const [value, unit] = count < 999_950 ? [count / 1000, "k"] : [count / 1_000_000, "M"];
  return `${value < 100 ? value.toFixed(1) : Math.round(value)}${unit}`;
}

function amountText(cost: Cost): string {
  if (isUnknown(cost)) return "unknown (not reported; set prices for the model)";
  const unpriced = cost.unpriced_tokens ?? 0;
  return `${money(cost.usd)} USD${unpriced === 0 ? "" : `, plus ${shortCount(unpriced)} unpriced tokens`}`;
}

function isUnknown({ usd, unpriced_tokens = 0 }: Cost): boolean {
  return usd === 0 && unpriced_tokens > 0;
}

function tokensText({ input_tokens, output_tokens }: Cost): string {
  return `${shortCount(input_tokens)} tokens in, ${shortCount(output_tokens)} out`;
}

/** Writes what one session used, for the log; the text is empty if nothing is known. */
export function usageText(usage: EventOf<"agent-finished">["usage"]): string {
  const { usd, inputTokens, outputTokens, unpricedTokens } = spendingOf(usage);
  const cost = { usd, input_tokens: inputTokens, output_tokens: outputTokens, unpriced_tokens: unpricedTokens };
  return isNothing(cost) ? "" : costText(cost);
}

/** Whether there is neither money nor tokens. */
export function isNothing({ usd, input_tokens, output_tokens }: Cost): boolean {
  return usd === 0 && input_tokens === 0 && output_tokens === 0;
}
