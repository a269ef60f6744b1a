import { expect, test } from "vitest";
import { defaultConfig } from "../../../src/config/defaults.ts";
import type { Config } from "../../../src/config/types.ts";
import { whyCapCannotHold } from "../../../src/agents/unheld-caps.ts";
import type { Needs } from "../../../src/agents/real-sessions.ts";

const needs = (more: Partial<Config>) => {
  const plan = { tasks: [{ role: "executor", checks: [] }], checks: [] };
  return { config: { ...defaultConfig, ...more }, plan, rules: { checks: [] } } as unknown as Needs;
};
const codex = { executor: { agent: "codex", model: "m" } };

test("a cap in USD over an agent that tells no money is named with its cure, before anything is spent", async () => {
  const why =
    "The cap in USD cannot hold: codex tells tokens and no money. Name the model of the role executor and set its price under `prices`, or set `budget.tokens`.";
  expect(await whyCapCannotHold(needs({ roles: codex, budget: { usd: 1 } }))).toBe(why);
  expect(await whyCapCannotHold(needs({ roles: codex, budget: { taskUsd: 1 } }))).toBe(why);
});

test("a price, a cap in tokens alone, and an agent that tells money need no word", async () => {
  const prices = { m: { input: 1, output: 1 } };
  expect(await whyCapCannotHold(needs({ roles: codex, budget: { usd: 1 }, prices }))).toBeUndefined();
  expect(await whyCapCannotHold(needs({ roles: codex, budget: { tokens: 1 } }))).toBeUndefined();
  const claude = { executor: { agent: "claude" } };
  expect(await whyCapCannotHold(needs({ roles: claude, budget: { usd: 1 } }))).toBeUndefined();
});
