import { expect, test } from "vitest";
import { renderCost } from "../../../src/report/render-cost.ts";
import type { Cost, RunSummary } from "../../../src/engine/summary.ts";

const noCaps = { usd: null, tokens: null, task_usd: null };
const cents = { usd: 1.25, input_tokens: 1700, output_tokens: 230 };
const unknown = { usd: 0, input_tokens: 700, output_tokens: 30, unpriced_tokens: 730 };

function lines(cost: Cost, more: Partial<RunSummary> = {}): string[] {
  return renderCost({ cost, cost_by_role: { executor: cost }, budget: noCaps, ...more } as RunSummary);
}

test("nothing used is no line, unless there is a cap to show", () => {
  const nothing = { usd: 0, input_tokens: 0, output_tokens: 0 };
  expect(lines(nothing)).toEqual([]);
  const budget = { usd: 20, tokens: 5_000_000, task_usd: 2 };
  expect(lines(nothing, { budget })).toEqual(["cost: nothing yet (cap: 20.00 USD, 5000000 tokens, 2.00 USD per task)"]);
});

test("money is shown in cents, and what would read as nothing is shown exactly", () => {
  expect(lines(cents)).toEqual(["cost: 1.25 USD · 1.7k tokens in, 230 out"]);
  expect(lines({ ...cents, usd: 0.00012 })).toEqual(["cost: 0.000120 USD · 1.7k tokens in, 230 out"]);
});

test("money that nobody knows is never shown as 0.00, and a cap that cannot apply to it is mentioned", () => {
  const words = "unknown (not reported; set prices for the model) · 700 tokens in, 30 out";
  expect(lines(unknown)).toEqual([`cost: ${words}`]);
  expect(lines({ ...cents, unpriced_tokens: 730 }, { budget: { ...noCaps, usd: 20 } })).toEqual([
    "cost: 1.25 USD, plus 730 unpriced tokens · 1.7k tokens in, 230 out (cap: 20.00 USD)",
    "The cap in USD cannot cover unpriced tokens: set `prices`, or `budget.tokens`.",
  ]);
});

test("several roles are listed separately", () => {
  expect(lines(cents, { cost_by_role: { executor: unknown, escalation: cents } })).toEqual([
    "cost: 1.25 USD · 1.7k tokens in, 230 out",
    "  executor: cost unknown (not reported; set prices for the model) · 700 tokens in, 30 out",
    "  escalation: 1.25 USD · 1.7k tokens in, 230 out",
  ]);
});
