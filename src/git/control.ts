import { existsSync } from "node:fs";
import { mkdtemp, readdir, readFile, rename, rm } from "node:fs/promises";
import { homedir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import { alternatesFile, configFile, readOptional, writeGitFolder, type GitFolder } from "./git-folder.ts";
import { syncFolder } from "./durable-names.ts";
import type { ObjectFormat } from "./names.ts";
import { setOwnRef } from "./refs.ts";
import { inRepo, type UserRepo } from "./user-repo.ts";

/** Stint's private bare repository: holds candidates, rescues and the run's refs, and borrows the user's objects. */
export interface Control {
  readonly dir: string;
  readonly objectsDir: string;
  readonly objectFormat: ObjectFormat;
  /** The folders of borrowed objects; checkouts and the sandbox must reach them, too. */
  readonly borrowed: readonly string[];
  /** The user's settings that decide how files are checked out, such as line endings and file modes. */
  readonly settings: Readonly<Record<string, string>>;
  readonly exclude: string;
  /** The folders with the user's copies of submodules, which are only read. */
  readonly modules: readonly string[];
  /** The user's work tree, where a submodule may have its repository, too. */
  readonly root: string;
  /** The settings that switch submodules off, in lower case. */
  readonly inactive: ReadonlySet<string>;
  /** The content of the user's `shallow` file; null for a full repository. */
  readonly shallow: string | null;
}

/** Opens the control repository, making or repairing it; its copy of the user's settings is refreshed each time. */
export async function openControl(repo: UserRepo, stateDir: string): Promise<Control> {
  const dir = join(stateDir, "control.git");
  const control = await describe(repo, dir);
  if ((await readOptional(join(dir, "HEAD"))) === null) await create(dir, stateDir, control);
  else await writeGitFolder(dir, folderOf(control));
  await removeUnfinished(stateDir);
  // Done every time, because a process may have died before it did: runs that begin now build on this name.
  await syncFolder(stateDir);
  return control;
}

/** Returns every folder of objects that a checkout needs to read. */
export function objectDirs(control: Control): string[] {
  return [control.objectsDir, ...control.borrowed];
}

/** Finds where the user's copies of submodules are (a linked work tree has its own), and which they do without. */
export function lendersOf({
  root,
  gitDir,
  commonDir,
  settings,
}: UserRepo): Pick<Control, "modules" | "root" | "inactive"> {
  const modules = [...new Set([gitDir, commonDir])].map((folder) => join(folder, "modules"));
  const off = [...settings].filter(
    ([key, value]) => key.startsWith("submodule.") && /^(?:false|no|off|0)$/i.test(value),
  );
  return { modules, root, inactive: new Set(off.map(([key]) => key)) };
}

/** Keeps a commit alive in the user's repository: `gc` there would otherwise delete objects the control repository borrows. */
export async function pinInUserRepo(repo: UserRepo, ref: string, sha: string): Promise<void> {
  if (!ref.startsWith("refs/stint/keep/"))
    throw new Error(`Internal error: expected refs/stint/keep/…, but was ${ref}`);
  await setOwnRef({ options: inRepo(repo), dir: repo.commonDir }, ref, sha);
}

async function describe(repo: UserRepo, dir: string): Promise<Control> {
  const objects = join(repo.commonDir, "objects");
  return {
    dir,
    objectsDir: join(dir, "objects"),
    objectFormat: repo.objectFormat,
    borrowed: await withAlternates(objects),
    settings: copied(repo),
    exclude: await excludesOf(repo),
    ...lendersOf(repo),
    shallow: repo.shallow ? await readOptional(join(repo.commonDir, "shallow")) : null,
  };
}

/** Makes the repository under another name and renames it, so that no other process ever sees half of it. */
async function create(dir: string, stateDir: string, control: Control): Promise<void> {
  const wanted = folderOf(control);
  const temporary = await mkdtemp(join(stateDir, unfinished));
  try {
    await writeGitFolder(temporary, wanted);
    for (const folder of wanted.folders) await syncFolder(join(temporary, folder));
    for (const folder of ["objects", "refs", "."]) await syncFolder(join(temporary, folder));
    await rename(temporary, dir);
  } catch (error) {
    await rm(temporary, { recursive: true, force: true });
    if (!existsSync(dir)) throw error;
    // Another process was faster, or left a damaged one: complete what is there, and never replace it.
    await writeGitFolder(dir, wanted);
  }
}

const unfinished = "control.new-";

/** Removes what a killed first start left. A process that is still making one finds the finished one in its way and completes that. */
async function removeUnfinished(stateDir: string): Promise<void> {
  const names = (await readdir(stateDir)).filter((name) => name.startsWith(unfinished));
  await Promise.all(
    names.map((name) => rm(join(stateDir, name), { recursive: true, force: true }).catch(() => undefined)),
  );
}

function folderOf(control: Control): GitFolder {
  return {
    files: {
      config: configFile(control.objectFormat, { bare: "true", ...control.settings }),
      "objects/info/alternates": alternatesFile(control.borrowed),
      "info/exclude": control.exclude,
      [textAttributes]: "* diff\n",
      shallow: control.shallow,
      // HEAD comes last, because its presence makes the folder a repository.
      HEAD: "ref: refs/heads/none\n",
    },
    folders: ["objects/pack", "refs/heads"],
  };
}

/** The control repository has this attributes file, which makes every file text, even one with a NUL byte. */
export const textAttributes = "text-attributes";

const copiedKeys = ["autocrlf", "eol", "filemode", "ignorecase", "symlinks", "precomposeunicode"];

function copied(repo: UserRepo): Record<string, string> {
  const pairs = copiedKeys.flatMap((key): [string, string][] => {
    const value = repo.settings.get(`core.${key}`);
    return value === undefined ? [] : [[key, value]];
  });
  return Object.fromEntries(pairs);
}

/** Joins the excludes in git's order: a later line wins, so the repository's own beat the user's global ones. */
async function excludesOf(repo: UserRepo): Promise<string> {
  const global = repo.settings.get("core.excludesfile") ?? join(configHome(), "git", "ignore");
  const files = [expandHome(global), join(repo.commonDir, "info", "exclude")];
  const texts = await Promise.all(files.map((file) => readFile(resolve(repo.root, file), "utf8").catch(() => "")));
  return texts.map((text) => (text === "" || text.endsWith("\n") ? text : `${text}\n`)).join("");
}

function configHome(): string {
  return process.env["XDG_CONFIG_HOME"] || join(homedir(), ".config");
}

function expandHome(path: string): string {
  return path.startsWith("~/") ? join(homedir(), path.slice(2)) : path;
}

async function withAlternates(objects: string, depth = 0): Promise<string[]> {
  const text = (await readOptional(join(objects, "info", "alternates"))) ?? "";
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  const further =
    depth >= 5 ? [] : lines.map((line) => withAlternates(isAbsolute(line) ? line : resolve(objects, line), depth + 1));
  return [...new Set([objects, ...(await Promise.all(further)).flat()])];
}
