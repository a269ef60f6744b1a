import type { AgentDriver } from "./driver-kit/agent.ts";

/** Every driver by the name the config uses; loaded when it is needed, because start-up counts. */
const loaders: Readonly<Record<string, () => Promise<AgentDriver>>> = {
  acp: async () => (await import("./acp/driver.ts")).acpDriver,
  claude: async () => (await import("./claude/driver.ts")).claudeDriver,
  codex: async () => (await import("./codex/driver.ts")).codexDriver,
  command: async () => (await import("./command/driver.ts")).commandDriver,
  gemini: async () => (await import("./gemini/driver.ts")).geminiDriver,
  scripted: async () => (await import("./scripted/driver.ts")).scriptedDriver,
};

export function knowsDriver(name: string): boolean {
  return Object.hasOwn(loaders, name);
}

export async function loadDriver(name: string): Promise<AgentDriver> {
  const load = Object.hasOwn(loaders, name) ? loaders[name] : undefined;
  if (load === undefined) throw new Error(`Internal error: expected a driver, but was ${name}`);
  return await load();
}
