import { roles, type Plan, type Role, type Rules } from "../plan/types.ts";
import type { AgentConfig, Config } from "./types.ts";

/** The agent that does a role, after fallbacks. */
export interface ResolvedRole {
  readonly agentName: string;
  readonly agent: AgentConfig;
  readonly model?: string;
  readonly effort?: string;
}

const fallBacks: Readonly<Partial<Record<Role, Role>>> = {
  escalation: "executor",
  external: "reviewer",
  judge: "reviewer",
  reviewer: "planner",
};

/** Gives the two roles without a fallback to the first agent that was found, if there is one. */
export function withDefaultRoles(config: Config, found: string | undefined): Config {
  if (found === undefined) return config;
  const first = { agent: found };
  return { ...config, roles: { planner: first, executor: first, ...config.roles } };
}

/** Finds the role whose setting decides: the role itself, or the first one it falls back to that is set. */
export function decidingRole(roles: Config["roles"], role: Role): Role | undefined {
  if (roles[role] !== undefined) return role;
  const next = fallBacks[role];
  return next === undefined ? undefined : decidingRole(roles, next);
}

/** Describes an agent with its model to people. */
export function describeRole({ agentName, model, effort }: Omit<ResolvedRole, "agent">): string {
  const how = [
    model === undefined ? "its own default model" : `model ${model}`,
    ...(effort === undefined ? [] : [`effort ${effort}`]),
  ];
  return `${agentName}, ${how.join(", ")}`;
}

/** Finds the roles whose agents a run of the plan may start. */
export function rolesNeeded(plan: Pick<Plan, "tasks" | "checks">, rules: Pick<Rules, "checks">): ReadonlySet<Role> {
  const checks = [...plan.tasks.flatMap((task) => task.checks), ...rules.checks, ...plan.checks];
  const isJudged = checks.some(({ kind }) => kind === "judge");
  return new Set<Role>([...plan.tasks.map((task) => task.role), "escalation", ...(isJudged ? ["judge" as const] : [])]);
}

/** Lists the roles that are set, and those that running the plan may need, in their usual order. */
export function rolesShown({
  config,
  plan,
  rules,
}: {
  readonly config: Pick<Config, "roles">;
  readonly plan: Pick<Plan, "tasks" | "checks">;
  readonly rules: Pick<Rules, "checks">;
}): Role[] {
  const needed = rolesNeeded(plan, rules);
  return roles.filter((role) => needed.has(role) || config.roles[role] !== undefined);
}

/** Finds the agent of a role; undefined if neither the role nor any of its fallbacks is set. */
export function resolveRole({ agents, roles }: Pick<Config, "agents" | "roles">, role: Role): ResolvedRole | undefined {
  const deciding = decidingRole(roles, role);
  const set = deciding === undefined ? undefined : roles[deciding];
  if (set === undefined) return undefined;
  const { agent: agentName, ...how } = set;
  const agent = Object.hasOwn(agents, agentName) ? agents[agentName] : undefined;
  return agent === undefined ? undefined : { agentName, agent, ...how };
}
