import { randomBytes } from "node:crypto";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Control } from "./control.ts";
import { changedPaths } from "./diff.ts";
import { gitLimits } from "./limits.ts";
import { assertOid, objectId, splitNul } from "./names.ts";
import { git, GitError, gitOk, type GitOptions } from "./run.ts";
import { inStore, keepTree, type ObjectStore, writeObject } from "./write-objects.ts";

/** How a path of a tree is to be. Paths have one character per byte, because a file name need not be UTF-8. */
export interface TreeEdit {
  /** Null removes the path. */
  readonly mode: string | null;
  readonly oid: string;
  readonly rawPath: string;
}

interface TreeEntry extends TreeEdit {
  readonly mode: string;
  readonly type: string;
}

export interface NewFile {
  readonly bytes: Uint8Array;
  readonly executable?: boolean;
}

/**
 * Returns a tree with the content of one existing file replaced; the box is ticked this way inside the task's own commit.
 * Only the folders on the way to it are read and written, however many files there are.
 */
export async function treeWithFile(
  control: Control,
  tree: string,
  { path, bytes }: { readonly path: string; readonly bytes: Uint8Array },
): Promise<string> {
  // From the file up, each with the folder that it is in; "" is the top.
  const way: string[] = [path];
  while (way.at(-1) !== "") way.push(folderOf(way.at(-1) ?? ""));
  const [blob, ...listings] = await Promise.all([
    writeObject(control, "blob", bytes),
    ...way.slice(1).map((folder) => entriesAt(control, tree, folder === "" ? [] : [`${folder}/`])),
  ]);
  let oid = blob;
  const trees: Buffer[] = [];
  for (const [at, entries] of listings.entries()) {
    const name = raw(way[at] ?? "");
    if (entries.find(({ rawPath }) => rawPath === name)?.type !== (at === 0 ? "blob" : "tree"))
      throw new Error(`Internal error: expected a file ${path} in tree ${tree}`);
    const content = treeOf(entries.map((entry) => (entry.rawPath === name ? { ...entry, oid } : entry)));
    oid = objectId(control.objectFormat, "tree", content);
    trees.push(content);
  }
  // What each is called is known before, so that none waits for another to be on the disk.
  const written = await Promise.all(trees.map((content) => writeObject(control, "tree", content)));
  if (written.at(-1) !== oid)
    throw new Error(`Internal error: expected the tree ${oid}, but git wrote ${written.at(-1)}`);
  await keepTree(control, { tree: oid, known: [tree] });
  return oid;
}

/** Returns a tree with a folder taken from another tree; nothing that was below its path stays, and no file of `besides`. */
export async function treeWithFolder(
  control: Control,
  tree: string,
  folder: { readonly path: string; readonly oid: string; readonly besides?: readonly string[] },
): Promise<string> {
  return editTree(control, tree, async () => {
    const [removed, files] = await Promise.all([
      removals(control, tree, [folder.path, ...(folder.besides ?? [])]),
      entriesAt(control, folder.oid, [], ["-r"]),
    ]);
    return [...removed, ...files.map((file) => ({ ...file, rawPath: `${raw(folder.path)}/${file.rawPath}` }))];
  });
}

/** Returns a tree with a folder of exactly these files, by path inside it; nothing else that was below its path stays, and no file of `besides`. */
export async function treeWithFiles(
  control: Control,
  tree: string,
  folder: {
    readonly path: string;
    readonly files: ReadonlyMap<string, NewFile>;
    readonly besides?: readonly string[];
  },
): Promise<string> {
  return editTree(control, tree, async () => {
    const files = new Map([...folder.files].map(([path, file]) => [`${folder.path}/${path}`, file]));
    const [removed, added] = await Promise.all([
      removals(control, tree, [folder.path, ...(folder.besides ?? [])]),
      additions(control, files),
    ]);
    return [...removed, ...added];
  });
}

/** Returns the tree of one commit with some paths as another commit has them. */
export async function treeWithPaths(
  control: Control,
  { from, to }: { readonly from: string; readonly to: string },
  paths: ReadonlySet<string>,
): Promise<string> {
  return editTree(control, from, async () => {
    const taken = (await changedPaths(control, from, to)).filter(({ path }) => paths.has(path));
    return taken.map(({ status, newMode, newOid, path }) => ({
      mode: status === "D" ? null : newMode,
      oid: newOid,
      rawPath: raw(path),
    }));
  });
}

/** Writes the blobs of new files. */
async function additions(store: ObjectStore, files: ReadonlyMap<string, NewFile>): Promise<TreeEdit[]> {
  const edits: TreeEdit[] = [];
  const rest = [...files];
  while (rest.length > 0) {
    const group = rest.splice(0, gitLimits.blobsWrittenAtOnce).map(async ([path, { bytes, executable }]) => ({
      mode: executable === true ? "100755" : "100644",
      oid: await writeObject(store, "blob", bytes),
      rawPath: raw(path),
    }));
    edits.push(...(await Promise.all(group)));
  }
  return edits;
}

/** Lists what a tree has at these paths, or at its top where none is given. */
async function entriesAt(
  store: ObjectStore,
  tree: string,
  paths: readonly string[],
  flags: readonly string[] = [],
): Promise<TreeEntry[]> {
  const args = ["ls-tree", "-z", "--full-tree", ...flags, "--end-of-options", assertOid(tree), ...paths];
  return splitNul(await gitOk(args, inStore(store))).map((line) => {
    const [, mode = "", type = "", oid = "", rawPath = ""] =
      /^(\d+) (\w+) ([0-9a-f]+)\t([^]*)$/.exec(line.toString("latin1")) ?? [];
    return { mode, type, oid, rawPath };
  });
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}

/** Writes a folder as git stores it. The entries stay in git's order; their modes have no leading zero there. */
function treeOf(entries: readonly TreeEntry[]): Buffer {
  const lines = entries.flatMap(({ mode, oid, rawPath }) => [
    Buffer.from(`${mode.replace(/^0/, "")} ${rawPath.slice(rawPath.lastIndexOf("/") + 1)}\0`, "latin1"),
    Buffer.from(oid, "hex"),
  ]);
  return Buffer.concat(lines);
}

/**
 * Edits a tree in an index of its own and returns the new tree, durable and held by the store itself. Git refuses a path
 * that leads elsewhere, such as `../x` or `.git/config`.
 */
async function editTree(store: ObjectStore, tree: string, edits: () => Promise<readonly TreeEdit[]>): Promise<string> {
  const index = join(store.dir, `index-${randomBytes(8).toString("hex")}.tmp`);
  const options = { ...inStore(store), index };
  try {
    // Both are waited for, even if one fails: git would otherwise write the index after we have removed it.
    const [changes, reading] = await Promise.allSettled([edits(), gitOk(["read-tree", assertOid(tree)], options)]);
    if (changes.status === "rejected") throw changes.reason;
    if (reading.status === "rejected") throw reading.reason;
    await updateIndex(options, changes.value);
    const written = (await gitOk(["write-tree"], options)).toString("utf8").trim();
    await keepTree(store, { tree: written, known: [tree] });
    return written;
  } finally {
    await Promise.all([index, `${index}.lock`].map((file) => rm(file, { force: true })));
  }
}

/** Matches what a killed process leaves of a private index in the control repository. */
export const privateIndexName = /^index-[0-9a-f]{16}\.tmp(?:\.lock)?$/;

async function updateIndex(options: GitOptions, changes: readonly TreeEdit[]): Promise<void> {
  const args = ["update-index", "--replace", "-z", "--index-info"];
  const result = await git(args, { ...options, stdin: indexInfo(changes) });
  // Git leaves out a path that it does not accept, and reports success.
  if (result.code !== 0 || result.stderr.includes("Ignoring path")) throw new GitError(args, result);
}

/** Formats edits for `update-index`, removals first: a file may have become a folder. */
function indexInfo(edits: readonly TreeEdit[]): Buffer {
  const ordered = edits.toSorted((a, b) => Number(b.mode === null) - Number(a.mode === null));
  const lines = ordered.map(({ mode, oid, rawPath }) => {
    if (rawPath.includes("\0")) throw new Error(`Internal error: expected a path, but was ${JSON.stringify(rawPath)}`);
    return `${mode ?? "0"} ${oid}\t${rawPath}\0`;
  });
  return Buffer.from(lines.join(""), "latin1");
}

async function removals(store: ObjectStore, tree: string, paths: readonly string[]): Promise<TreeEdit[]> {
  const entries = await entriesAt(store, tree, paths, ["-r"]);
  return entries.map(({ oid, rawPath }) => ({ mode: null, oid, rawPath }));
}

function raw(path: string): string {
  return Buffer.from(path).toString("latin1");
}
