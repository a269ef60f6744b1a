import { loadDriver } from "./drivers.ts";
import { resolveRole, rolesNeeded } from "../config/roles.ts";
import type { Needs } from "./real-sessions.ts";

/** Why a cap in USD will not hold, said before money is spent: some agents tell only tokens, and those need a price. */
export async function whyCapCannotHold({ config, plan, rules }: Needs): Promise<string | undefined> {
  const { usd, taskUsd } = config.budget;
  if (usd === undefined && taskUsd === undefined) return undefined;
  for (const role of rolesNeeded(plan, rules)) {
    const found = resolveRole(config, role);
    if (found === undefined || (found.model !== undefined && Object.hasOwn(config.prices, found.model))) continue;
    const { facts } = await loadDriver(found.agent.driver);
    if (facts.tellsNoMoney !== true) continue;
    return `The cap in USD cannot hold: ${found.agentName} tells tokens and no money. Name the model of the role ${role} and set its price under \`prices\`, or set \`budget.tokens\`.`;
  }
  return undefined;
}
