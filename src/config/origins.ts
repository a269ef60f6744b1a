import type { Role } from "../plan/types.ts";
import type { LoadedConfig } from "./load.ts";
import { decidingRole, resolveRole } from "./roles.ts";

type Origins = LoadedConfig["origins"];

/** Where a key was set, for people: `file:line`, or that it is built in. */
export function originOf(origins: Origins, key: string): string {
  const origin = origins.get(key);
  return origin === undefined ? builtIn : `${origin.file}:${origin.line}`;
}

/** The origin of a value that is not set anywhere. */
export const builtIn = "built in";

/** Why this agent does a role: a file sets it, another role does, or it was found on PATH. */
export function originOfRole({ config, origins }: Pick<LoadedConfig, "config" | "origins">, role: Role): string {
  const deciding = decidingRole(config.roles, role);
  if (deciding === undefined || resolveRole(config, role) === undefined) return "no agent found on PATH";
  if (deciding !== role) return `as roles.${deciding}`;
  const key = `roles.${role}`;
  return origins.has(key) ? originOf(origins, key) : "found on PATH";
}
