import type { Spending, Usage } from "./session.ts";

export const noSpending: Spending = { inputTokens: 0, outputTokens: 0, usd: 0, unpricedTokens: 0 };

/** Prices in USD per million tokens. */
export interface Price {
  readonly input: number;
  readonly output: number;
}

/** Adds the cost by the price where the agent reported none; without a price the tokens stay unpriced. */
export function priced(usage: Usage, price: Price | undefined): Spending {
  const { inputTokens, outputTokens, usd } = usage;
  if (usd > 0 || price === undefined) return spendingOf({ inputTokens, outputTokens, usd });
  const cost = (inputTokens * price.input + outputTokens * price.output) / 1_000_000;
  return { inputTokens, outputTokens, usd: cost, unpricedTokens: 0 };
}

/** Reads recorded usage. Where it does not mention unpriced tokens, a cost of 0 means that the cost is unknown. */
export function spendingOf({ inputTokens, outputTokens, usd, unpricedTokens }: Usage & Partial<Spending>): Spending {
  const unknown = unpricedTokens ?? (usd > 0 ? 0 : inputTokens + outputTokens);
  return { inputTokens, outputTokens, usd, unpricedTokens: unknown };
}

export function add(a: Spending, b: Spending): Spending {
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    usd: a.usd + b.usd,
    unpricedTokens: a.unpricedTokens + b.unpricedTokens,
  };
}

/** Raises the cost to that of another account, if that is higher. */
export function atLeast(spending: Spending, { usd }: Spending): Spending {
  return { ...spending, usd: Math.max(spending.usd, usd) };
}

/** Computes what was used beyond what was recorded before. */
export function beyond(spending: Spending, recorded: Spending): Spending {
  const over = (name: keyof Spending) => Math.max(0, spending[name] - recorded[name]);
  return {
    inputTokens: over("inputTokens"),
    outputTokens: over("outputTokens"),
    usd: over("usd"),
    unpricedTokens: over("unpricedTokens"),
  };
}

/** Merges two accounts of one session: what either of them reports was used. */
export function most(a: Usage, b: Usage): Usage {
  return {
    inputTokens: Math.max(a.inputTokens, b.inputTokens),
    outputTokens: Math.max(a.outputTokens, b.outputTokens),
    usd: Math.max(a.usd, b.usd),
  };
}
