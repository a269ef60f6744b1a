import { join } from "node:path";
import type { AgentFacts } from "./driver-kit/agent.ts";
import type { UserEnvironment } from "../process/environment.ts";
import { agentHomes, stintHome } from "../project/paths.ts";
import { type UntrustedState, ensurePrivateFolders } from "../project/state-folder.ts";
import { ok, type Result } from "../base/result.ts";

/** Where an agent keeps its own login: one home for all its sessions, because a login that is copied is a login lost. */
export interface AgentHome {
  readonly home: string;
  /** Beside the home and not in it, where the agent could replace it. */
  readonly loginLock: string;
}

/** The place of an agent's home; neither the user's own home nor anything in it. */
export function agentHome(env: UserEnvironment, agent: string): AgentHome {
  const stint = stintHome(env);
  return { home: join(agentHomes(env), agent), loginLock: join(stint, "logins", `${agent}.lock`) };
}

/** Makes the home, or says why a login must not be kept there. */
export function ensureAgentHome(env: UserEnvironment, agent: string): Result<AgentHome, UntrustedState> {
  const place = agentHome(env, agent);
  const stint = stintHome(env);
  const folders = ensurePrivateFolders([stint, agentHomes(env), join(stint, "logins"), place.home]);
  return folders.ok ? ok(place) : folders;
}

/** The user's variable that the agent logs in with, where one is set: then no login is kept that could run out. */
export function credentialOf({ credentials }: AgentFacts, env: UserEnvironment): string | undefined {
  return credentials.find((name) => (env[name] ?? "") !== "");
}
