import { loadDriver } from "../agents/drivers.ts";
import type { Config } from "../config/load.ts";
import { resolveRole, rolesNeeded } from "../config/roles.ts";
import type { Plan } from "../plan/types.ts";

/** Why a cap in USD will not hold, said before money is spent: some agents tell only tokens, and those need a price. */
export async function whyCapCannotHold({ budget, ...config }: Config, plan: Plan): Promise<string | undefined> {
  if (budget.usd === undefined && budget.taskUsd === undefined) return undefined;
  for (const role of rolesNeeded(plan.tasks)) {
    const found = resolveRole(config, role);
    if (found === undefined || (found.model !== undefined && Object.hasOwn(config.prices, found.model))) continue;
    const { facts } = await loadDriver(found.agent.driver);
    if (facts.tellsNoMoney !== true) continue;
    return `The cap in USD cannot hold: ${found.agentName} tells tokens and no money. Name the model of the role ${role} and set its price under \`prices\`, or set \`budget.tokens\`.`;
  }
  return undefined;
}
