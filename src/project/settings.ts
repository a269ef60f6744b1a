import { join } from "node:path";
import { closeSync, constants, fstatSync, openSync, readdirSync, readFileSync } from "node:fs";
import { findProgram } from "../process/find-program.ts";
import { builtInAgents } from "../config/defaults.ts";
import { loadConfig, type Config, type ConfigSources, type Origin } from "../config/load.ts";
import { withDefaultRoles } from "../config/roles.ts";
import { sortProblems, unreadableProblems } from "../plan/problem.ts";
import type { PlanFile, PlanFiles, Position, Problem } from "../plan/types.ts";
import { choosePrompts, type Prompts } from "../prompts/overrides.ts";
import { systemReason } from "../base/result.ts";
import { absoluteSearchPath } from "../base/search-path.ts";
import { userConfigDir } from "./paths.ts";
import type { Project } from "./project.ts";
import { projectLimits } from "./limits.ts";

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

/** Says which file defines set-up; the project's own where none does. */
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

/** Finds the first built-in agent whose program is on the user's PATH: it gets the roles that no settings name. */
function firstAgentFound({ agents }: Config, env: NodeJS.ProcessEnv): string | undefined {
  const path = { PATH: absoluteSearchPath(env["PATH"]) };
  return Object.keys(builtInAgents).find((name) => {
    const [program = name] = agents[name]?.command ?? [];
    return findProgram({ argv: [program], cwd: "/", env: path }).ok;
  });
}

/** Reads a small file of the user's own, or says why it is not used. Links are followed, because people keep such files elsewhere. */
export function readUserFile(path: string): PlanFile | undefined {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const stat = fstatSync(descriptor);
    if (!stat.isFile()) return { unreadable: "is not a regular file" };
    const max = projectLimits.userFileBytesMax;
    if (stat.size > max) return { unreadable: `has ${stat.size} bytes; at most ${max} are read` };
    return { bytes: readFileSync(descriptor) };
  } catch (error) {
    const { code = String(error) } = error as NodeJS.ErrnoException;
    return code === "ENOENT" || code === "ENOTDIR"
      ? undefined
      : { unreadable: `cannot be read: ${systemReason(error)}` };
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** Reads the Markdown files of a folder of the user's, by whole path; none where there is no such folder. */
function readUserFolder(folder: string): Map<string, PlanFile> {
  const files = new Map<string, PlanFile>();
  for (const name of namesIn(folder)) {
    const path = join(folder, name);
    const file = name.endsWith(".md") ? readUserFile(path) : undefined;
    if (file !== undefined) files.set(path, file);
  }
  return files;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "")) return [];
    throw error;
  }
}
