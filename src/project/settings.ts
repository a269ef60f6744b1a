import { join } from "node:path";
import { findProgram } from "../process/find-program.ts";
import { builtInAgents } from "../config/defaults.ts";
import { loadConfig, type Config, type ConfigSources, type Origin } from "../config/load.ts";
import { withDefaultRoles } from "../config/roles.ts";
import { sortProblems, unreadableProblems } from "../plan/problem.ts";
import type { PlanFile, PlanFiles, Position, Problem } from "../plan/types.ts";
import { choosePrompts, type Prompts } from "../prompts/overrides.ts";
import { absoluteSearchPath } from "../base/search-path.ts";
import { userConfigDir } from "./paths.ts";
import type { Project } from "./project.ts";
import { readUserFile, readUserFolder } from "./user-files.ts";

/** The settings of a project: its own files override the user's, which override the built-in ones. */
export interface Settings {
  readonly config: Config;
  readonly origins: ReadonlyMap<string, Origin>;
  readonly prompts: Prompts;
  readonly problems: readonly Problem[];
}

/** Reads settings and prompts; `files` are those of the project, from a commit or from the disk. */
export function readSettings(
  { env }: Pick<Project, "env">,
  files: PlanFiles,
  flags: NonNullable<ConfigSources["flags"]> = {},
): Settings {
  const userConfig = join(userConfigDir(env), "config.yaml");
  const user = readUserFile(userConfig);
  const loaded = loadConfig({
    ...fileAt("project", configFile, files.get(configFile)),
    ...fileAt("user", userConfig, user),
    flags,
  });
  const userPrompts = join(userConfigDir(env), "prompts");
  const userFiles = readUserFolder(userPrompts);
  const { prompts, problems } = choosePrompts({
    project: { folder: ".stint/prompts", files },
    user: { folder: userPrompts, files: userFiles },
  });
  return {
    config: withDefaultRoles(loaded.config, firstAgentFound(loaded.config, env)),
    origins: loaded.origins,
    prompts,
    problems: sortProblems([
      ...loaded.problems,
      ...unreadableProblems(new Map([...userFiles, ...(user === undefined ? [] : [[userConfig, user] as const])])),
      ...problems,
    ]),
  };
}

/** The file that defines set-up; the project's own where none does. */
export function setupOrigin(
  project: Pick<Project, "env">,
  files: PlanFiles,
): { readonly file: string; readonly at: Position } {
  const { file = configFile, line = 1, column = 1 } = readSettings(project, files).origins.get("workspace.setup") ?? {};
  return { file, at: { line, column } };
}

/** The project's settings, from the root of its repository. */
export const configFile = ".stint/config.yaml";

function fileAt(layer: "project" | "user", file: string, found: PlanFile | undefined): ConfigSources {
  return found !== undefined && "bytes" in found ? { [layer]: { file, bytes: found.bytes } } : {};
}

/** The first built-in agent whose program is on the user's PATH, for roles that no settings name. */
function firstAgentFound({ agents }: Config, env: NodeJS.ProcessEnv): string | undefined {
  const path = { PATH: absoluteSearchPath(env["PATH"]) };
  return Object.keys(builtInAgents).find((name) => {
    const [program = name] = agents[name]?.command ?? [];
    return findProgram({ argv: [program], cwd: "/", env: path }).ok;
  });
}
