import type { Config } from "../config/load.ts";
import { describeRole, resolveRole, rolesNeeded } from "../config/roles.ts";
import type { McpConfig } from "../config/types.ts";
import type { Ready } from "../host/open-run.ts";
import type { Needs } from "../host/real-sessions.ts";
import { roles } from "../plan/types.ts";

/** Who does each role that is set or that the plan can come to need; a line each. */
export function roleLines({ config, plan, rules }: Needs): string[] {
  const needed = rolesNeeded(plan, rules);
  const told = roles.filter((role) => needed.has(role) || config.roles[role] !== undefined);
  return told.map((role) => {
    const resolved = resolveRole(config, role);
    return `  ${role}: ${resolved === undefined ? "no agent is set, and none was found on PATH" : describeRole(resolved)}`;
  });
}

/** The programs that agents are. */
export function programLines({ agents }: Config): string[] {
  return Object.entries(agents).flatMap(([name, { command, env }]) =>
    command.length === 0 ? [] : [`  ${name} runs: ${command.join(" ")}${inBrackets("gets", env)}`],
  );
}

/** Tool servers with every word that is run or sent; variables of the user stay names. */
export function serverLines({ mcp }: Config): string[] {
  return Object.entries(mcp).map(([name, server]) => `  ${name} ${serverText(server)}`);
}

function serverText(server: McpConfig): string {
  if ("url" in server) return `is at: ${server.url}${inBrackets("sends", pairs(server.headers, ": "))}`;
  return `runs: ${server.command.join(" ")}${inBrackets("gets", pairs(server.env, "="))}`;
}

/** Settings for agents that lie in the repository; of those that are honoured, every line. */
export function shippedLines({ shipped, config }: Pick<Ready, "shipped" | "config">): string[] {
  const files = shipped.map(({ path, honouredBy, file }) => {
    if (honouredBy.length === 0) return `  ${path}: not honoured`;
    return `  ${path}: honoured by ${honouredBy.join(", ")}${file !== undefined && "bytes" in file ? textOf(file.bytes) : ""}`;
  });
  const own = Object.entries(config.agents).filter(([, { driver }]) => driver === "command" || driver === "acp");
  if (files.length === 0 || own.length === 0) return files;
  return [...files, `  (what ${own.map(([name]) => name).join(", ")} obeys of them is up to that program)`];
}

/** Prompts that are not the built-in ones; those that came with the repository in full. */
export function promptLines({ prompts, files }: Pick<Ready, "prompts" | "files">): string[] {
  return Object.entries(prompts).flatMap(([name, { file, text }]) => {
    if (file === null) return [];
    return [files.has(file) ? `  ${name}: ${file}\n${text.trimEnd()}` : `  ${name}: ${file} (your own)`];
  });
}

function textOf(bytes: Uint8Array): string {
  return `\n${new TextDecoder().decode(bytes).trimEnd()}`;
}

function pairs(values: Readonly<Record<string, string>>, between: string): string[] {
  return Object.entries(values).map(([name, value]) => `${name}${between}${value}`);
}

function inBrackets(verb: string, things: readonly string[]): string {
  return things.length === 0 ? "" : `  (${verb} ${things.join(", ")})`;
}
