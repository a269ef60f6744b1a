import path from "node:path";
import { statOf } from "./view.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** Returns the folders of version managers by the variables that name them, because HOME is a different one inside. */
export function toolHomes(userEnv: Environment): Record<string, string> {
  return found(userEnv, { ...toolchains, ...packageCaches });
}

/** Returns the same without download caches, which an agent has in a home of its own. */
export function toolchainHomes(userEnv: Environment): Record<string, string> {
  return found(userEnv, toolchains);
}

/** Lists every folder of tools that checks and agents may read. */
export function toolFolders(userEnv: Environment): string[] {
  const { GOPATH: _, ...homes } = toolHomes(userEnv);
  const home = userEnv["HOME"] ?? "";
  const further = home === "" ? [] : withoutVariable.map((folder) => path.join(home, folder));
  const java = userEnv["JAVA_HOME"];
  return [...Object.values(homes), ...further, ...(java === undefined ? [] : [java])];
}

/** Lists files of tool homes that contain a login. */
export function toolLogins(userEnv: Environment): string[] {
  const { CARGO_HOME } = toolHomes(userEnv);
  return CARGO_HOME === undefined ? [] : ["credentials", "credentials.toml"].map((name) => path.join(CARGO_HOME, name));
}

function found(userEnv: Environment, folders: Readonly<Record<string, string>>): Record<string, string> {
  const homes: Record<string, string> = {};
  for (const [name, folder] of Object.entries(folders)) {
    const value = userEnv[name] ?? belowHome(userEnv["HOME"], folder);
    if (value !== undefined && path.isAbsolute(value)) homes[name] = value;
  }
  return homes;
}

function belowHome(home: string | undefined, folder: string): string | undefined {
  if (home === undefined || home === "") return undefined;
  const candidate = path.join(home, folder);
  return statOf(candidate)?.isDirectory() === true ? candidate : undefined;
}

const toolchains = {
  RUSTUP_HOME: ".rustup",
  PYENV_ROOT: ".pyenv",
  NVM_DIR: ".nvm",
  FNM_DIR: ".local/share/fnm",
  VOLTA_HOME: ".volta",
  SDKMAN_DIR: ".sdkman",
  MISE_DATA_DIR: ".local/share/mise",
  ASDF_DATA_DIR: ".asdf",
  RBENV_ROOT: ".rbenv",
  PIPX_HOME: ".local/share/pipx",
  UV_TOOL_DIR: ".local/share/uv/tools",
  UV_PYTHON_INSTALL_DIR: ".local/share/uv/python",
} as const;

const packageCaches = {
  CARGO_HOME: ".cargo",
  BUN_INSTALL: ".bun",
  GOPATH: "go",
  GOMODCACHE: "go/pkg/mod",
} as const;

const withoutVariable = [".deno", ".fnm", ".local/pipx", ".local/share/pnpm", "sdk"];
