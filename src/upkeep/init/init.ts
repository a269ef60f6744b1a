import { randomBytes } from "node:crypto";
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { builtInAgents } from "../../config/defaults.ts";
import { openWorkTree } from "../../git/user-repo.ts";
import { programFinder } from "../../approval/lint.ts";
import { commandsOf } from "../../plan/lint/advice/commands.ts";
import { advisePrograms } from "../../plan/lint/advice/programs.ts";
import { foresee } from "../../plan/lint/world.ts";
import { parseRules, rulesFile } from "../../plan/rules.ts";
import { fail, ok, type Result } from "../../base/result.ts";
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
  const hasProgram = programFinder(env);
  const agents = Object.keys(builtInAgents).filter(hasProgram);
  const rules = rulesText(detected);
  const files = new Map([
    [configFile, configText(detected, agents[0] ?? "claude")],
    [rulesFile, rules],
  ]);
  const laid = layOut(root, files);
  if (!laid.ok) return laid;
  const setup = setupCommand(detected.projects);
  const notes = [...detected.notes, ...missingPrograms(setup, rules, hasProgram)];
  return ok({ ...detected, ...laid.value, root, hasCommits, setup, agents, notes });
}

/** Says which programs of the set-up and of the checks are not on this machine. */
function missingPrograms(command: string | null, rulesText: string, hasProgram: ProgramFinder): string[] {
  const setup = command === null ? undefined : { command, file: configFile, at: { line: 1, column: 1 } };
  const { rules } = parseRules(new Map([[rulesFile, { bytes: Buffer.from(rulesText) }]]));
  const world = foresee([], new Set(), new Set());
  return advisePrograms({ commands: commandsOf({ rules, setup }, []), world, hasProgram, setup }).map(
    ({ message }) => message,
  );
}

type ProgramFinder = ReturnType<typeof programFinder>;

/** Writes the missing files of `.stint/`; existing ones stay, and anything but plain files and folders is refused. */
function layOut(root: string, files: ReadonlyMap<string, string>): Result<Laid> {
  for (const path of [stintFolder, ...files.keys()]) {
    const refused = whyNot(root, path);
    if (refused !== undefined) return fail("in-the-way", refused);
  }
  try {
    // Not recursive: on a full disk Node would report a folder that does not exist.
    if (!existsSync(join(root, stintFolder))) mkdirSync(join(root, stintFolder));
    const written = [...files].filter(([path, text]) => writeNew(root, path, text)).map(([path]) => path);
    return ok({ written, kept: [...files.keys()].filter((path) => !written.includes(path)) });
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    const why = whyUnwritable[code];
    if (why === undefined) throw error;
    const folder = join(root, stintFolder);
    const where = existsSync(folder) ? "it" : root;
    return fail("unwritable", `${folder} cannot be written: ${why(where)}, then try again.`);
  }
}

const denied = (where: string) => `permission denied. Give your user write access to ${where}`;

const whyUnwritable: Readonly<Record<string, (where: string) => string>> = {
  EACCES: denied,
  EPERM: denied,
  EROFS: () => "the disk is read-only. Make it writable",
  ENOSPC: () => "the disk is full. Free some space",
  EDQUOT: () => "your quota is used up. Free some space",
};

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
