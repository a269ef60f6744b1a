import { join } from "node:path";
import type { UserEnvironment } from "../process/environment.ts";
import { agentHomes, stintHome } from "../project/paths.ts";
import { type UntrustedState, ensurePrivateFolders } from "../project/state-folder.ts";
import { readUserFile } from "../project/settings.ts";
import { ok, type Result } from "../base/result.ts";
import { removeHomeFile, writeHomeFile } from "./driver-kit/home-file.ts";

/** The home where an agent keeps its own login. All its sessions share it, because copies of a login invalidate each other. */
export interface AgentHome {
  readonly home: string;
  /** It lies outside the home, where the agent cannot replace it. */
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

/**
 * Removes from an agent's home what an earlier session, of any project, could have left there for this one to obey: files
 * that its program reads, and files that every shell and git it starts would read.
 */
export async function clearHomeSettings(agentHome: string, paths: readonly string[]): Promise<void> {
  for (const path of [...startFiles, ...paths]) await removeHomeFile(agentHome, path);
}

const startFiles = [
  ".bashrc",
  ".bash_profile",
  ".bash_login",
  ".profile",
  ".zshenv",
  ".zprofile",
  ".zshrc",
  ".gitconfig",
  ".config/git",
];

/**
 * Copies the user's own instructions for an agent into the home that Stint gives it, again for each session. A file that
 * the user does not have is removed there, too.
 */
export async function bringUserInstructions(options: {
  readonly userHome: string;
  readonly agentHome: string;
  /** They are relative to both homes. */
  readonly paths: readonly string[];
  /** What a person types once they have fixed a file of theirs. */
  readonly resume: string;
}): Promise<void> {
  const { userHome, agentHome, paths, resume } = options;
  for (const path of paths) {
    const file = readUserFile(join(userHome, path));
    if (file === undefined) await removeHomeFile(agentHome, path);
    else if ("bytes" in file) await writeHomeFile(agentHome, path, file.bytes);
    else {
      throw new Error(
        `Your instructions ${join(userHome, path)} cannot be given to the agent: the file ${file.unreadable}. Fix that, then run \`${resume}\`.`,
      );
    }
  }
}
