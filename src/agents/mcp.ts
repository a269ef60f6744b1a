import type { McpServer } from "./driver-kit/agent.ts";
import { referencesIn, withReferences } from "../config/mcp.ts";
import type { Config } from "../config/load.ts";
import type { McpConfig } from "../config/types.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** The tool servers as agents get them, with the user's variables in the places of their names. */
export function mcpServersOf({ mcp }: Pick<Config, "mcp">, env: Environment): Record<string, McpServer> {
  return Object.fromEntries(Object.entries(mcp).map(([name, server]) => [name, toServer(server, env)]));
}

/** The user's variables whose values reach agents through tool servers, and must not be shown anywhere. */
export function mcpVariables({ mcp }: Pick<Config, "mcp">): string[] {
  const written = Object.values(mcp).flatMap((server) => Object.values(secretsOf(server)));
  return [...new Set(written.flatMap(referencesIn))];
}

/** Said before a run begins: a server without its key would fail in the middle of the first task. */
export function whyNoServer({ mcp }: Pick<Config, "mcp">, env: Environment): string | undefined {
  for (const [name, server] of Object.entries(mcp)) {
    const unset = Object.values(secretsOf(server))
      .flatMap(referencesIn)
      .find((variable) => valueOf(env, variable) === undefined);
    if (unset !== undefined)
      return `mcp.${name} needs the variable ${unset}, which is not set. Set it, or remove mcp.${name}.`;
  }
  return undefined;
}

function toServer(server: McpConfig, env: Environment): McpServer {
  if ("url" in server) return { url: server.url, headers: resolved(server.headers, env) };
  const [command = "", ...args] = server.command;
  return { command, args, env: resolved(server.env, env) };
}

function secretsOf(server: McpConfig): Readonly<Record<string, string>> {
  return "url" in server ? server.headers : server.env;
}

function resolved(values: Readonly<Record<string, string>>, env: Environment): Record<string, string> {
  const lookUp = (name: string): string => {
    const value = valueOf(env, name);
    if (value === undefined) throw new Error(`Internal error: expected the variable ${name}, but it is not set`);
    return value;
  };
  return Object.fromEntries(Object.entries(values).map(([key, written]) => [key, withReferences(written, lookUp)]));
}

function valueOf(env: Environment, name: string): string | undefined {
  return Object.hasOwn(env, name) ? env[name] : undefined;
}
