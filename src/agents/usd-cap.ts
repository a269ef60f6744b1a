import { loadDriver } from "./drivers.ts";
import { resolveRole, rolesNeeded } from "../config/roles.ts";
import type { Needs } from "./real-sessions.ts";

/** Says, before money is spent, why a cap in USD would not work: some agents report only tokens, and those need a price. */
export async function whyUsdCapCannotWork({ config, plan, rules }: Needs): Promise<string | undefined> {
  const { usd, taskUsd } = config.budget;
  if (usd === undefined && taskUsd === undefined) return undefined;
  for (const role of rolesNeeded(plan, rules)) {
    const found = resolveRole(config, role);
    if (found === undefined || (found.model !== undefined && Object.hasOwn(config.prices, found.model))) continue;
    const { facts } = await loadDriver(found.agent.driver);
    if (facts.reportsNoCost !== true) continue;
    return `The cap in USD cannot work: ${found.agentName} reports tokens but no cost. Set the model of the role ${role} and its price under \`prices\`, or set \`budget.tokens\`.`;
  }
  return undefined;
}
