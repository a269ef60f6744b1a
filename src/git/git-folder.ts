import { randomBytes } from "node:crypto";
import { mkdir, open, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { ObjectFormat } from "./names.ts";

/** A git folder that is written file by file, because `git init` and `git clone` take too many processes for every checkout. */
export interface GitFolder {
  /** Maps a path inside the folder to its content; null means that the file must not exist. */
  readonly files: Readonly<Record<string, string | null>>;
  readonly folders: readonly string[];
}

/** Makes the folder hold these files durably, touching only those that differ. */
export async function writeGitFolder(dir: string, folder: GitFolder): Promise<void> {
  await makeFolders(dir, folder);
  for (const [file, content] of Object.entries(folder.files)) await ensureFile(join(dir, file), content);
}

/** Writes a new folder that may be lost with the machine, as a checkout may. */
export async function writeThrowawayGitFolder(dir: string, folder: GitFolder): Promise<void> {
  await makeFolders(dir, folder);
  for (const [file, content] of Object.entries(folder.files))
    if (content !== null) await writeFile(join(dir, file), content, { flag: "wx", mode: 0o600 });
}

/** Returns the `config` of a repository that Stint makes. */
export function configFile(format: ObjectFormat, core: Readonly<Record<string, string>>): string {
  const sha256 = format === "sha256";
  const lines = Object.entries(core).map(([key, value]) => `\t${key} = ${quoteValue(value)}\n`);
  const head = `[core]\n\trepositoryformatversion = ${sha256 ? 1 : 0}\n${lines.join("")}`;
  return `${head}[gc]\n\tauto = 0\n${sha256 ? "[extensions]\n\tobjectFormat = sha256\n" : ""}`;
}

/** Quotes a value so that no character of it can begin a comment, a section or another key. */
export function quoteValue(value: string): string {
  return `"${value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n").replaceAll("\0", "")}"`;
}

/** Returns the file that lists borrowed object folders; unusual paths are quoted in C style, as git does. */
export function alternatesFile(folders: readonly string[]): string {
  return folders.map((folder) => `${/^["#]|\n/.test(folder) ? quoteValue(folder) : folder}\n`).join("");
}

export async function readOptional(file: string): Promise<string | null> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "")) return null;
    throw error;
  }
}

async function makeFolders(dir: string, { files, folders }: GitFolder): Promise<void> {
  const parents = Object.keys(files).map((file) => dirname(file));
  for (const folder of new Set([".", ...folders, ...parents]))
    await mkdir(join(dir, folder), { recursive: true, mode: 0o700 });
}

async function ensureFile(file: string, content: string | null): Promise<void> {
  if ((await readOptional(file)) === content) return;
  if (content === null) return rm(file, { force: true });
  const temporary = `${file}.${randomBytes(6).toString("hex")}.tmp`;
  const handle = await open(temporary, "wx", 0o600);
  try {
    await handle.writeFile(content);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(temporary, file);
}
