import { gitLimits } from "./limits.ts";
import type { Control } from "./control.ts";
import { writeObject } from "./loose-object.ts";
import { assertOid } from "./names.ts";
import { readObjects } from "./objects.ts";
import { treeOfEntries, withEntry } from "./tree-object.ts";

export interface FolderFile {
  readonly bytes: Uint8Array;
  readonly executable?: boolean;
}

/** Writes a folder of exactly these files, by path inside it, into the control repository; the name of its tree. */
export async function writeFolder(control: Control, files: ReadonlyMap<string, FolderFile>): Promise<string> {
  const entries: Entry[] = [];
  for (const names of inGroups(new Set([...files.keys()].map((path) => path.replace(/\/.*/s, ""))))) {
    entries.push(...(await Promise.all(names.map((name) => writeEntry(control, files, name)))));
  }
  return await writeObject(control, "tree", treeOfEntries(entries));
}

type Entry = Parameters<typeof treeOfEntries>[0][number];

async function writeEntry(control: Control, files: ReadonlyMap<string, FolderFile>, name: string): Promise<Entry> {
  assertName(name);
  const file = files.get(name);
  if (file === undefined) return { name, mode: "40000", oid: await writeFolder(control, inside(files, name)) };
  const oid = await writeObject(control, "blob", file.bytes);
  return { name, mode: file.executable === true ? "100755" : "100644", oid };
}

/** Each object is an open file until it is on the disk. */
function* inGroups(names: Iterable<string>): Iterable<string[]> {
  const rest = [...names];
  while (rest.length > 0) yield rest.splice(0, gitLimits.objectsWrittenAtOnce);
}

/** The same tree with a folder in the place of the one at that path: nothing of what was below it stays. */
export async function treeWithFolder(
  control: Control,
  tree: string,
  folder: { readonly path: string; readonly oid: string },
): Promise<string> {
  const parts = folder.path.split("/");
  const names = parts.map((_, depth) => `${assertOid(tree)}:${parts.slice(0, depth).join("/")}`);
  const trees = await readObjects(control, names);
  let { oid } = folder;
  for (let depth = parts.length - 1; depth >= 0; depth--) {
    const above = trees[depth];
    const body = above?.type === "tree" ? above.body : Buffer.alloc(0);
    const entry = { name: Buffer.from(assertName(parts[depth] ?? "")), isFolder: true, oid };
    oid = await writeObject(control, "tree", withEntry(body, entry));
  }
  return oid;
}

function inside(files: ReadonlyMap<string, FolderFile>, folder: string): Map<string, FolderFile> {
  const below = [...files].filter(([path]) => path.startsWith(`${folder}/`));
  return new Map(below.map(([path, file]) => [path.slice(folder.length + 1), file]));
}

/** What git itself would not write; whoever reads files from elsewhere refuses such names before. */
function assertName(name: string): string {
  if (/^(?:|\.{1,2}|\.git)$/i.test(name) || name.includes("\0"))
    throw new Error(`Internal error: expected a name of a file, but was ${JSON.stringify(name)}`);
  return name;
}
