import type { Role } from "../plan/types.ts";
import type { LoadedConfig } from "./load.ts";
import { decidingRole, resolveRole } from "./roles.ts";

type Origins = LoadedConfig["origins"];

/** Who set a key, for people: `file:line`, or that it is built in. */
export function originOf(origins: Origins, key: string): string {
  const origin = origins.get(key);
  return origin === undefined ? builtIn : `${origin.file}:${origin.line}`;
}

/** The origin of what nobody set. */
export const builtIn = "built in";

/** Who said that this agent does a role: a file, another role's setting, or PATH. */
export function originOfRole({ config, origins }: Pick<LoadedConfig, "config" | "origins">, role: Role): string {
  const deciding = decidingRole(config.roles, role);
  if (deciding === undefined || resolveRole(config, role) === undefined) return "no agent found on PATH";
  if (deciding !== role) return `as roles.${deciding}`;
  const key = `roles.${role}`;
  return origins.has(key) ? originOf(origins, key) : "found on PATH";
}
