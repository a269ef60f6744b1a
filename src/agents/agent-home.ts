import { join } from "node:path";
import { removeHomeFile, writeHomeFile } from "./driver-kit/home-file.ts";
import { readUserFile } from "../project/user-files.ts";

/**
 * Takes out of an agent's home what an earlier session, of whatever project, could have left there for this one to obey:
 * what its program reads, and what every shell and git it starts would.
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
 * Puts the user's own instructions for an agent where its program looks for them in the home that Stint gives it. Only the
 * named files are copied, anew for each session; one the user does not have is not left there either.
 */
export async function bringUserInstructions(options: {
  readonly userHome: string;
  readonly agentHome: string;
  /** Below both homes. */
  readonly paths: readonly string[];
}): Promise<void> {
  const { userHome, agentHome, paths } = options;
  for (const path of paths) {
    const file = readUserFile(join(userHome, path));
    if (file === undefined) await removeHomeFile(agentHome, path);
    else if ("bytes" in file) await writeHomeFile(agentHome, path, file.bytes);
    else {
      throw new Error(
        `Your instructions ${join(userHome, path)} cannot be given to the agent: the file ${file.unreadable}. Mend that, then run \`stint resume\`.`,
      );
    }
  }
}
