import { expect, test } from "vitest";
import { most, priced } from "../../../src/engine/spending.ts";

test("money is what the agent tells, else tokens at the price of its model, else unknown", () => {
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
