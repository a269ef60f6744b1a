import { describeRole, resolveRole, rolesShown } from "../config/roles.ts";
import type { Needs } from "../agents/real-sessions.ts";

/** One line for each role that is set or that the plan may need: which agent takes it. */
export function roleLines({ config, plan, rules }: Needs): string[] {
  return rolesShown({ config, plan, rules }).map((role) => {
    const resolved = resolveRole(config, role);
    return `  ${role}: ${resolved === undefined ? "no agent set, and none found on PATH" : describeRole(resolved)}`;
  });
}
