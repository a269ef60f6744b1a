import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import agents from "./agents.json" with { type: "json" };

export type AgentName = "claude-code" | "codex" | "gemini-cli" | "opencode";

export function versionOf(name: AgentName): string {
  return entryOf(name).version;
}

/** The folder with the agent's program, or undefined where install.ts could not install it. */
export function programFolder(name: AgentName): string | undefined {
  const cache = resolve(process.env["STINT_CI_CACHE"] ?? ".cache");
  const folder = join(cache, "agents", `${name}-${versionOf(name)}`);
  return existsSync(join(folder, ".ok")) ? join(folder, "node_modules", ".bin") : undefined;
}

function entryOf(name: AgentName) {
  const entry = agents.find((agent) => agent.name === name);
  if (entry === undefined) throw new Error(`Internal error: expected an agent of agents.json, but was ${name}`);
  return entry;
}
