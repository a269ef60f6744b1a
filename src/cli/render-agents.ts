import { describeRole, resolveRole, rolesTold } from "../config/roles.ts";
import type { Needs } from "../agents/real-sessions.ts";

/** Who does each role that is set or that the plan can come to need; a line each. */
export function roleLines({ config, plan, rules }: Needs): string[] {
  return rolesTold({ config, plan, rules }).map((role) => {
    const resolved = resolveRole(config, role);
    return `  ${role}: ${resolved === undefined ? "no agent is set, and none was found on PATH" : describeRole(resolved)}`;
  });
}
