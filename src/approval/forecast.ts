import { decidingRole, resolveRole } from "../config/roles.ts";
import type { Config } from "../config/types.ts";
import { estimatePlan, type Estimate, type RoleNow } from "../engine/estimate.ts";
import { listTree } from "../git/objects.ts";
import type { Role } from "../plan/types.ts";
import { specsOf } from "./frozen-plan.ts";
import { readHistory } from "./history.ts";
import type { Ready } from "./committed-plan.ts";
import type { Project } from "../project/project.ts";
import { priceOf } from "../agents/real-sessions.ts";

/** Estimates what a run of a committed plan will take, from its own estimates and from earlier runs of the repository. */
export async function forecast(
  project: Project,
  { ready, commit }: { readonly ready: Ready; readonly commit: string },
): Promise<Estimate> {
  const { plan, rules, config } = ready;
  const tree = (await listTree(project.control, commit)).map(({ path }) => path);
  const history = readHistory(project.paths);
  const roleNow = (role: Role) => roleNowOf(config, role);
  return estimatePlan({ plan, rules, specs: specsOf(plan, tree), settings: config.run, roleNow, history });
}

function roleNowOf(config: Config, role: Role): RoleNow {
  return {
    model: resolveRole(config, role)?.model ?? null,
    price: priceOf(config, role),
    as: decidingRole(config.roles, role) ?? role,
  };
}
