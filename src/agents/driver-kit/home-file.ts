import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { lstat, mkdir, open, rename, rm, unlink, type FileHandle } from "node:fs/promises";
import { dirname, join } from "node:path";

/** Writes a file in an agent's home. The home belongs to the agent: a link it planted there is replaced, never followed. */
export async function writeHomeFile(home: string, path: string, bytes: string | Uint8Array): Promise<void> {
  await ensureFolders(home, dirname(path));
  const temporary = join(home, `${path}.${randomBytes(6).toString("hex")}`);
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
  const file: FileHandle = await open(temporary, flags, 0o600);
  try {
    await file.writeFile(bytes);
  } finally {
    await file.close();
  }
  await removeUnlessFile(join(home, path));
  // The new name appears whole: another session of the same agent may be reading the old one.
  await rename(temporary, join(home, path));
}

/** Removes a file from an agent's home; a link on the path to it is removed instead, because the agent's program would follow it. */
export async function removeHomeFile(home: string, path: string): Promise<void> {
  for (const folder of foldersOf(dirname(path))) {
    if (await isFolder(join(home, folder))) continue;
    return await removeInTheWay(join(home, folder));
  }
  await rm(join(home, path), { recursive: true, force: true });
}

async function ensureFolders(home: string, path: string): Promise<void> {
  await mkdir(home, { recursive: true, mode: 0o700 });
  for (const folder of foldersOf(path)) {
    const full = join(home, folder);
    if (await isFolder(full)) continue;
    await removeInTheWay(full);
    await mkdir(full, { recursive: true, mode: 0o700 });
  }
}

/** Splits `a/b/c` into a, a/b and a/b/c. */
function foldersOf(path: string): string[] {
  if (path === ".") return [];
  const parts = path.split("/");
  return parts.map((_, index) => parts.slice(0, index + 1).join("/"));
}

async function isFolder(path: string): Promise<boolean> {
  const stat = await lstat(path).catch(() => undefined);
  return stat?.isDirectory() ?? false;
}

/** Never calls `rm`, which would also remove a folder that another session made a moment ago, with all its files. */
async function removeInTheWay(path: string): Promise<void> {
  try {
    await unlink(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "ENOENT" && !(await isFolder(path))) throw error;
  }
}

async function removeUnlessFile(path: string): Promise<void> {
  if (await isFolder(path)) await rm(path, { recursive: true, force: true });
}
