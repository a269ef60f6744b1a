import type { Spending, Usage } from "./session.ts";

export const noSpending: Spending = { inputTokens: 0, outputTokens: 0, usd: 0, unpricedTokens: 0 };

/** In USD per million tokens. */
export interface Price {
  readonly input: number;
  readonly output: number;
}

/** What the agent told, with money from the price where it told none; without a price the tokens stay unpriced. */
export function priced(usage: Usage, price: Price | undefined): Spending {
  const { inputTokens, outputTokens, usd } = usage;
  if (usd > 0 || price === undefined) return spendingOf({ inputTokens, outputTokens, usd });
  const cost = (inputTokens * price.input + outputTokens * price.output) / 1_000_000;
  return { inputTokens, outputTokens, usd: cost, unpricedTokens: 0 };
}

/** As recorded; where nothing is said of unpriced tokens, no money means that nobody knew it. */
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

/** The account with at least the money of another. */
export function atLeast(spending: Spending, { usd }: Spending): Spending {
  return { ...spending, usd: Math.max(spending.usd, usd) };
}

/** What is used beyond what was recorded before. */
export function beyond(spending: Spending, recorded: Spending): Spending {
  const over = (name: keyof Spending) => Math.max(0, spending[name] - recorded[name]);
  return {
    inputTokens: over("inputTokens"),
    outputTokens: over("outputTokens"),
    usd: over("usd"),
    unpricedTokens: over("unpricedTokens"),
  };
}

/** Two accounts of one session: what one of them has told was used, whatever the other says. */
export function most(a: Usage, b: Usage): Usage {
  return {
    inputTokens: Math.max(a.inputTokens, b.inputTokens),
    outputTokens: Math.max(a.outputTokens, b.outputTokens),
    usd: Math.max(a.usd, b.usd),
  };
}
