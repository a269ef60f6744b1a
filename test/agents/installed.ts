import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import agents from "./agents.json" with { type: "json" };

export type AgentName = "claude-code" | "codex" | "gemini-cli" | "opencode";

/** The newest release, or the oldest that is known to work. */
export type Release = "newest" | "oldest";

/** The folder with the agent's program, or undefined where install.ts could not install it. */
export function programFolder(name: AgentName, release: Release = "newest"): string | undefined {
  const { version, oldest } = entryOf(name);
  return installed(`agents/${name}-${release === "newest" ? version : oldest}`, ".bin");
}

/** The folder with this release of Node, or undefined where install.ts could not install it. */
export function nodeFolder(version: string): string | undefined {
  return installed(`node/node-${version}`, "node/bin");
}

function installed(name: string, bin: string): string | undefined {
  const folder = join(resolve(process.env["STINT_CI_CACHE"] ?? ".cache"), name);
  return existsSync(join(folder, ".ok")) ? join(folder, "node_modules", bin) : undefined;
}

function entryOf(name: AgentName) {
  const entry = agents.find((agent) => agent.name === name);
  if (entry === undefined) throw new Error(`Internal error: expected an agent of agents.json, but was ${name}`);
  return entry;
}
