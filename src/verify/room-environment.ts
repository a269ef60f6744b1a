import fs from "node:fs";
import path from "node:path";
import { baseEnvironment, pick, type UserEnvironment } from "../agents/environment.ts";

export interface CheckEnvironmentOptions {
  readonly userEnv: UserEnvironment;
  /** An empty folder, so that no dotfile of the user or of an agent decides a check. */
  readonly home: string;
  /** A private folder for temporary files. */
  readonly tmp: string;
  /** Names from `workspace.env` of the config. */
  readonly extra: readonly string[];
}

/** The whole environment of a check: nothing of Stint's, and nothing that lets an agent's files change a tool. */
export function checkEnvironment({ userEnv, home, tmp, extra }: CheckEnvironmentOptions): Record<string, string> {
  const named = extra.filter((name) => !name.startsWith("STINT_"));
  return {
    ...toolHomes(userEnv),
    ...pick(userEnv, ["JAVA_HOME", ...named]),
    ...baseEnvironment(userEnv),
    HOME: home,
    TMPDIR: tmp,
    // npm would otherwise ask its registry for a newer self in the middle of a check.
    npm_config_update_notifier: "false",
  };
}

/** Version managers look below HOME, which is empty in the room; their variables lead them back to what is installed. */
function toolHomes(userEnv: UserEnvironment): Record<string, string> {
  const found: Record<string, string> = {};
  for (const [name, folder] of Object.entries(toolFolders)) {
    const value = userEnv[name] ?? belowHome(userEnv["HOME"], folder);
    if (value !== undefined && path.isAbsolute(value)) found[name] = value;
  }
  return found;
}

function belowHome(home: string | undefined, folder: string): string | undefined {
  if (home === undefined || home === "") return undefined;
  const candidate = path.join(home, folder);
  return fs.statSync(candidate, { throwIfNoEntry: false })?.isDirectory() === true ? candidate : undefined;
}

const toolFolders = {
  RUSTUP_HOME: ".rustup",
  CARGO_HOME: ".cargo",
  PYENV_ROOT: ".pyenv",
  NVM_DIR: ".nvm",
  VOLTA_HOME: ".volta",
  SDKMAN_DIR: ".sdkman",
  MISE_DATA_DIR: ".local/share/mise",
  ASDF_DATA_DIR: ".asdf",
  BUN_INSTALL: ".bun",
  GOPATH: "go",
  GOMODCACHE: "go/pkg/mod",
  RBENV_ROOT: ".rbenv",
} as const;
