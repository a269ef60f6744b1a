import type { McpServer } from "./agent.ts";

/** A server whose values are left in the environment, by the names they have there. */
export type NamedServer =
  | { readonly command: string; readonly args: readonly string[]; readonly env: Readonly<Record<string, string>> }
  | { readonly url: string; readonly headers: Readonly<Record<string, string>> };

/**
 * Takes what may be secret out of servers and into variables: everybody on the machine can read a command line, and
 * later sessions the agent's home.
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

/** As programs that put in variables themselves want them written. */
export function variableReference(variable: string): string {
  return `\${${variable}}`;
}

export function mapValues<A, B>(record: Readonly<Record<string, A>>, change: (value: A) => B): Record<string, B> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
}
