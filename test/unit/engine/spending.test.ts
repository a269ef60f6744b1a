import { expect, test } from "vitest";
import { most, priced, add, atLeast, beyond, noSpending, spendingOf } from "../../../src/engine/spending.ts";

test("money is what the agent reports, else tokens at the price of its model, else unknown", () => {
  const tokens = { inputTokens: 1_000_000, outputTokens: 200_000 };
  const price = { input: 3, output: 15 };
  expect(priced({ ...tokens, usd: 0.25 }, price)).toEqual({ ...tokens, usd: 0.25, unpricedTokens: 0 });
  expect(priced({ ...tokens, usd: 0 }, price)).toEqual({ ...tokens, usd: 6, unpricedTokens: 0 });
  expect(priced({ ...tokens, usd: 0 }, { input: 0, output: 0 })).toEqual({ ...tokens, usd: 0, unpricedTokens: 0 });
  expect(priced({ ...tokens, usd: 0 }, undefined)).toEqual({ ...tokens, usd: 0, unpricedTokens: 1_200_000 });
});

test("two accounts of one session add up to what either has seen", () => {
  const early = { inputTokens: 10, outputTokens: 5, usd: 0 };
  expect(most(early, { inputTokens: 8, outputTokens: 9, usd: 0.1 })).toEqual({
    inputTokens: 10,
    outputTokens: 9,
    usd: 0.1,
  });
});

test("recorded usage without a price and without a cost counts as unpriced, unless it says otherwise", () => {
  const used = { inputTokens: 10, outputTokens: 1, usd: 0 };
  expect(spendingOf(used).unpricedTokens).toBe(11);
  expect(spendingOf({ ...used, unpricedTokens: 0 }).unpricedTokens).toBe(0);
  expect(spendingOf({ ...used, usd: 0.5 }).unpricedTokens).toBe(0);
});

test("what lies beyond an earlier account is the rest, and never less than nothing", () => {
  const earlier = { inputTokens: 10, outputTokens: 5, usd: 0.5, unpricedTokens: 0 };
  const more = { inputTokens: 1, outputTokens: 2, usd: 0.25, unpricedTokens: 3 };
  expect(beyond(add(earlier, more), earlier)).toEqual(more);
  expect(beyond(noSpending, earlier)).toEqual(noSpending);
  expect(atLeast(more, earlier)).toEqual({ ...more, usd: 0.5 });
  expect(atLeast(earlier, more)).toEqual(earlier);
});
