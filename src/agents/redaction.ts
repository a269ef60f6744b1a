import { knowsDriver, loadDriver } from "./drivers.ts";
import { proxyNames } from "../process/environment.ts";
import type { Config } from "../config/load.ts";
import { redactor, type Redactor } from "../base/redact.ts";
import { secretsOf } from "../base/secrets.ts";
import { mcpVariables } from "./mcp.ts";
import type { Project } from "../project/project.ts";

/** Makes a redactor for every secret that any agent or check of the project gets: one may print what another has. */
export async function projectRedactor({ env }: Pick<Project, "env">, config: Config): Promise<Redactor> {
  const agents = Object.values(config.agents);
  const drivers = [...new Set(agents.map((agent) => agent.driver))].filter(knowsDriver);
  const credentials = (await Promise.all(drivers.map(loadDriver))).flatMap(({ facts }) => facts.credentials);
  const named = [...agents.flatMap((agent) => agent.env), ...config.workspace.env, ...mcpVariables(config)];
  return redactor(secretsOf(env, [...credentials, ...named, ...proxyNames]));
}

/** Removes secrets from an event. Fields that steer the run stay: a secret that looks like one of them must not derail it. */
export function redactEvent<E extends { readonly type: string }>(event: E, redact: Redactor): E {
  const shown = withoutSecrets(event, redact);
  // An event's own reason is a fixed word; a report's is an agent's text.
  return "reason" in event ? { ...shown, reason: event.reason } : shown;
}

/** Removes secrets from all texts of a value, except fields that steer the run. */
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

/** Fields with names, numbers, hashes and fixed words; no agent and no check writes them. */
const steering = new Set(
  (
    "type command id task attempt run plan planHash base branch settings tasks changes role until process marker " +
    "commit placed tip old new ref kind state status guard result planning phase word severity source"
  ).split(" "),
);
