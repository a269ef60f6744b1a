import { randomBytes } from "node:crypto";
import { closeSync, fsyncSync, linkSync, lstatSync, mkdirSync, openSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findProgram } from "../../process/find-program.ts";
import { builtInAgents } from "../../config/defaults.ts";
import { openWorkTree } from "../../git/user-repo.ts";
import { rulesFile } from "../../plan/rules.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import { absoluteSearchPath } from "../../base/search-path.ts";
import { configText, rulesText, setupCommand } from "./compose.ts";
import { detect, type Detected } from "./detect.ts";
import { surveyOf } from "./survey.ts";
import { configFile } from "../../project/settings.ts";

export type { Detected } from "./detect.ts";
export type { Found } from "./survey.ts";

/** Which files were written, and which were kept. */
interface Laid {
  readonly written: readonly string[];
  readonly kept: readonly string[];
}

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

/** Writes the missing files of `.stint/`; existing ones stay, and anything but plain files and folders is refused. */
function layOut(root: string, files: ReadonlyMap<string, string>): Result<Laid> {
  for (const path of [stintFolder, ...files.keys()]) {
    const refused = whyNot(root, path);
    if (refused !== undefined) return fail("in-the-way", refused);
  }
  mkdirSync(join(root, stintFolder), { recursive: true });
  const written = [...files].filter(([path, text]) => writeNew(root, path, text)).map(([path]) => path);
  return ok({ written, kept: [...files.keys()].filter((path) => !written.includes(path)) });
}

const stintFolder = ".stint";

function whyNot(root: string, path: string): string | undefined {
  const stat = lstatSync(join(root, path), { throwIfNoEntry: false });
  const isFolder = path === stintFolder;
  if (stat === undefined || (isFolder ? stat.isDirectory() : stat.isFile())) return undefined;
  const what = stat.isSymbolicLink() ? "a link" : stat.isDirectory() ? "a folder" : "a special file";
  const is = isFolder && stat.isFile() ? "a file" : what;
  return `${path} is ${is}, not a ${isFolder ? "folder" : "file"}, so nothing was written. Move it away, then try again.`;
}

/** Writes a file whole or not at all: the name appears once every byte is on disk, and only if it was free. */
function writeNew(root: string, path: string, text: string): boolean {
  const target = join(root, path);
  const aside = `${target}.${randomBytes(6).toString("hex")}`;
  const descriptor = openSync(aside, "wx", 0o644);
  try {
    writeFileSync(descriptor, text);
    fsyncSync(descriptor);
    linkSync(aside, target);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  } finally {
    closeSync(descriptor);
    unlinkSync(aside);
  }
}
