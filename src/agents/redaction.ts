import { knowsDriver, loadDriver } from "./drivers.ts";
import { proxyNames } from "../process/environment.ts";
import type { Config } from "../config/load.ts";
import { redactor, type Redactor } from "../base/redact.ts";
import { secretsOf } from "../base/secrets.ts";
import { mcpVariables } from "./mcp.ts";
import type { Project } from "../project/project.ts";

/** Knows every value of the user's that some agent or check of the project gets: what one has, another may print. */
export async function projectRedactor({ env }: Pick<Project, "env">, config: Config): Promise<Redactor> {
  const agents = Object.values(config.agents);
  const drivers = [...new Set(agents.map((agent) => agent.driver))].filter(knowsDriver);
  const credentials = (await Promise.all(drivers.map(loadDriver))).flatMap(({ facts }) => facts.credentials);
  const named = [...agents.flatMap((agent) => agent.env), ...config.workspace.env, ...mcpVariables(config)];
  return redactor(secretsOf(env, [...credentials, ...named, ...proxyNames]));
}

/** Strikes secrets out of an event; what steers the run stays, because a secret that looks like it must not derail a run. */
export function redactEvent<E extends { readonly type: string }>(event: E, redact: Redactor): E {
  const shown = withoutSecrets(event, redact);
  // An event's own reason is one of our words; a report's is an agent's.
  return "reason" in event ? { ...shown, reason: event.reason } : shown;
}

/** Strikes secrets out of all texts of a value, but for those that steer. */
export function withoutSecrets<T>(value: T, redact: Redactor): T {
  return withoutAny(value, redact) as T;
}

function withoutAny(value: unknown, redact: Redactor): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutAny(item, redact));
  if (typeof value !== "object" || value === null) return redact.value(value);
  const fields = Object.entries(value).map(([name, field]): [string, unknown] =>
    steering.has(name) ? [name, field] : [redact.text(name), withoutAny(field, redact)],
  );
  return Object.fromEntries(fields);
}

/** Names, numbers, hashes and words of our own; none of them is written by an agent or a check. */
const steering = new Set(
  (
    "type command id task attempt run plan planHash base branch settings tasks changes role until process marker " +
    "commit placed tip old new ref kind state status guard result planning phase word severity source"
  ).split(" "),
);
