import { join } from "node:path";
import type { UserEnvironment } from "../process/environment.ts";
import { agentHomes, stintHome } from "../project/paths.ts";
import { type UntrustedState, ensurePrivateFolders } from "../project/state-folder.ts";
import { ok, type Result } from "../base/result.ts";

/** The home where an agent keeps its own login. All its sessions share it, because copies of a login invalidate each other. */
export interface AgentHome {
  readonly home: string;
  /** Outside the home, where the agent cannot replace it. */
  readonly loginLock: string;
}

/** Returns the path of an agent's home, which is neither the user's own home nor inside it. */
export function agentHome(env: UserEnvironment, agent: string): AgentHome {
  const stint = stintHome(env);
  return { home: join(agentHomes(env), agent), loginLock: join(stint, "logins", `${agent}.lock`) };
}

/** Creates the home, or says why a login must not be kept there. */
export function ensureAgentHome(env: UserEnvironment, agent: string): Result<AgentHome, UntrustedState> {
  const place = agentHome(env, agent);
  const stint = stintHome(env);
  const folders = ensurePrivateFolders([stint, agentHomes(env), join(stint, "logins"), place.home]);
  return folders.ok ? ok(place) : folders;
}
