import { findProgram } from "../../process/find-program.ts";
import { builtInAgents } from "../../config/defaults.ts";
import { openWorkTree } from "../../git/user-repo.ts";
import { rulesFile } from "../../plan/rules.ts";
import { ok, type Result } from "../../base/result.ts";
import { absoluteSearchPath } from "../../base/search-path.ts";
import { configText, rulesText, setupCommand } from "./compose.ts";
import { detect, type Detected } from "./detect.ts";
import { layOut, surveyOf, type Laid } from "./disk.ts";
import { configFile } from "../../project/settings.ts";

export type { Detected } from "./detect.ts";
export type { Found } from "./survey.ts";

/** What `stint init` found and did. */
export interface Initialised extends Laid, Detected {
  readonly root: string;
  readonly hasCommits: boolean;
  /** The whole set-up command as written; null if there is nothing to set up. */
  readonly setup: string | null;
  /** Built-in agents whose programs are on PATH. */
  readonly agents: readonly string[];
}

/** Writes settings and rules that fit the repository around `cwd`, unless they exist. */
export async function initialise(cwd: string, env: NodeJS.ProcessEnv): Promise<Result<Initialised>> {
  const tree = await openWorkTree(cwd);
  if (!tree.ok) return tree;
  const { root, hasCommits } = tree.value;
  const detected = detect(await surveyOf(root));
  const agents = agentsOnPath(env);
  const files = new Map([
    [configFile, configText(detected, agents[0] ?? "claude")],
    [rulesFile, rulesText(detected)],
  ]);
  const laid = layOut(root, files);
  return laid.ok
    ? ok({ ...detected, ...laid.value, root, hasCommits, setup: setupCommand(detected.projects), agents })
    : laid;
}

function agentsOnPath(env: NodeJS.ProcessEnv): string[] {
  const path = { PATH: absoluteSearchPath(env["PATH"]) };
  return Object.keys(builtInAgents).filter((name) => findProgram({ argv: [name], cwd: "/", env: path }).ok);
}
