import type { McpServer } from "./driver-kit/agent.ts";
import { referencesIn, withReferences } from "../config/mcp.ts";
import type { Config } from "../config/load.ts";
import type { McpConfig } from "../config/types.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** Returns the MCP servers as agents get them, with the values of the user's variables filled in. */
export function mcpServersOf({ mcp }: Pick<Config, "mcp">, env: Environment): Record<string, McpServer> {
  return Object.fromEntries(Object.entries(mcp).map(([name, server]) => [name, toServer(server, env)]));
}

/** Lists the user's variables whose values reach agents through MCP servers, and must not be shown anywhere. */
export function mcpVariables({ mcp }: Pick<Config, "mcp">): string[] {
  const written = Object.values(mcp).flatMap((server) => Object.values(secretsOf(server)));
  return [...new Set(written.flatMap(referencesIn))];
}

/** Says before a run starts why an MCP server cannot work: without its key it would fail in the middle of the first task. */
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
