import type { Driver } from "../config/types.ts";
import type { AgentDriver } from "./driver-kit/agent.ts";

/**
 * The registry of drivers, by the name that the settings use. It is the only place that tells agents apart by name: what
 * differs between them is in their drivers. Each is loaded when it is needed, to keep start-up fast.
 */
const loaders: Readonly<Record<Driver, () => Promise<AgentDriver>>> = {
  acp: async () => (await import("./acp/driver.ts")).acpDriver,
  claude: async () => (await import("./claude/driver.ts")).claudeDriver,
  codex: async () => (await import("./codex/driver.ts")).codexDriver,
  command: async () => (await import("./command/driver.ts")).commandDriver,
  gemini: async () => (await import("./gemini/driver.ts")).geminiDriver,
  scripted: async () => (await import("./scripted/driver.ts")).scriptedDriver,
};

export function knowsDriver(name: string): name is Driver {
  return Object.hasOwn(loaders, name);
}

export async function loadDriver(name: string): Promise<AgentDriver> {
  if (!knowsDriver(name)) throw new Error(`Internal error: expected a driver, but was ${name}`);
  return await loaders[name]();
}
