import { expect, test } from "vitest";
import { defaultConfig } from "../../../src/config/defaults.ts";
import type { Config } from "../../../src/config/types.ts";
import { whyUsdCapCannotWork } from "../../../src/agents/usd-cap.ts";
import type { Needs } from "../../../src/agents/real-sessions.ts";

const needs = (more: Partial<Config>) => {
  const plan = { tasks: [{ role: "executor", checks: [] }], checks: [] };
  return { config: { ...defaultConfig, ...more }, plan, rules: { checks: [] } } as unknown as Needs;
};
const codex = { executor: { agent: "codex", model: "m" } };

test("a cap in USD over an agent that reports no cost is explained with how to fix it, before anything is spent", async () => {
  const why =
    "The cap in USD cannot work: codex reports tokens but no cost. Set the model of the role executor and its price under `prices`, or set `budget.tokens`.";
  expect(await whyUsdCapCannotWork(needs({ roles: codex, budget: { usd: 1 } }))).toBe(why);
  expect(await whyUsdCapCannotWork(needs({ roles: codex, budget: { taskUsd: 1 } }))).toBe(why);
});

test("a price, a cap in tokens alone, and an agent that reports cost need no warning", async () => {
  const prices = { m: { input: 1, output: 1 } };
  expect(await whyUsdCapCannotWork(needs({ roles: codex, budget: { usd: 1 }, prices }))).toBeUndefined();
  expect(await whyUsdCapCannotWork(needs({ roles: codex, budget: { tokens: 1 } }))).toBeUndefined();
  const claude = { executor: { agent: "claude" } };
  expect(await whyUsdCapCannotWork(needs({ roles: claude, budget: { usd: 1 } }))).toBeUndefined();
});
