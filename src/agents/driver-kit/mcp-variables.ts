import type { McpServer } from "./agent.ts";

/** An MCP server with the names of variables in place of their values. */
export type NamedServer =
  | { readonly command: string; readonly args: readonly string[]; readonly env: Readonly<Record<string, string>> }
  | { readonly url: string; readonly headers: Readonly<Record<string, string>> };

/**
 * Moves values that may be secret into variables: every process on the machine can read a command line, and later
 * sessions can read the agent's home.
 */
export function mcpByVariable(mcp: Readonly<Record<string, McpServer>>): {
  readonly servers: Readonly<Record<string, NamedServer>>;
  readonly env: Readonly<Record<string, string>>;
} {
  const env: Record<string, string> = {};
  const name = (values: Readonly<Record<string, string>>) =>
    mapValues(values, (value) => {
      const variable = `STINT_MCP_${Object.keys(env).length}`;
      env[variable] = value;
      return variable;
    });
  const servers = mapValues(mcp, (server): NamedServer =>
    "url" in server
      ? { url: server.url, headers: name(server.headers) }
      : { command: server.command, args: server.args, env: name(server.env) },
  );
  return { servers, env };
}

/** Writes a reference for programs that fill in variables themselves. */
export function variableReference(variable: string): string {
  return `\${${variable}}`;
}

export function mapValues<A, B>(record: Readonly<Record<string, A>>, change: (value: A) => B): Record<string, B> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
}
