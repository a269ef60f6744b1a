import type { AgentConfig, Config } from "./types.ts";

/** Agents that need no entry under `agents`, because their drivers know how to start them. */
export const builtInAgents: Readonly<Record<"claude" | "codex" | "gemini", AgentConfig>> = {
  claude: { driver: "claude", command: [], env: [], repoSettings: false },
  codex: { driver: "codex", command: [], env: [], repoSettings: false },
  gemini: { driver: "gemini", command: [], env: [], repoSettings: false },
};

/** The settings that apply where nothing is set. */
export const defaultConfig: Config = {
  agents: builtInAgents,
  roles: {},
  run: {
    parallel: 4,
    attempts: 3,
    escalateAfter: 2,
    sandbox: "auto",
    taskTimeoutMs: 60 * 60_000,
    idleTimeoutMs: 10 * 60_000,
    reverify: "affected",
    replan: "ask",
    replanMax: 2,
    scopeRequests: "ask",
  },
  budget: {},
  prices: {},
  workspace: { setupInputs: [], env: [], mounts: [] },
  mcp: {},
  review: { rounds: 3, eachTask: false },
  hooks: [],
};
