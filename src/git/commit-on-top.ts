import { join } from "node:path";
import { fail, ok, type Failure, type Result } from "../base/result.ts";
import type { Control } from "./control.ts";
import { writeObject, type ObjectStore } from "./loose-object.ts";
import type { Identity } from "./names.ts";
import { readObjects } from "./objects.ts";
import { commitTree } from "./place.ts";
import { treeEntries, withEntry } from "./tree-object.ts";
import type { UserRepo } from "./user-repo.ts";

/** A commit that adds files to another one. */
export interface Addition {
  readonly parent: string;
  /** Text by path. */
  readonly files: ReadonlyMap<string, string>;
  readonly message: string;
  readonly identity: Identity;
  readonly at: Date;
}

/**
 * Writes a commit with these files on top of its parent into the user's repository, where no ref names it: the checkout,
 * the index and the branches stay as they are, and the caller keeps it alive.
 */
export async function commitOnTop(
  repo: UserRepo,
  control: Control,
  { files, parent, ...commit }: Addition,
): Promise<Result<string, Failure<"in-the-way">>> {
  const store = { objectsDir: join(repo.commonDir, "objects"), objectFormat: repo.objectFormat };
  const tree = await addFiles({ control, store, path: "" }, `${parent}^{tree}`, files);
  return tree.ok ? ok(await commitTree(store, { tree: tree.value, parent, ...commit })) : tree;
}

interface Place {
  readonly control: Control;
  readonly store: ObjectStore;
  /** Of the folder, with its slash; "" for the root. */
  readonly path: string;
}

/** The name of the folder's new tree; `tree` names the old one, null for a folder that is new. */
async function addFiles(
  place: Place,
  tree: string | null,
  files: ReadonlyMap<string, string>,
): Promise<Result<string, Failure<"in-the-way">>> {
  const { control, store } = place;
  const [found] = tree === null ? [] : await readObjects(control, [tree]);
  let body = found?.body ?? Buffer.alloc(0);
  for (const name of new Set([...files.keys()].map((path) => path.replace(/\/.*/, "")))) {
    const text = files.get(name);
    const isFolder = text === undefined;
    const old = treeEntries(body, store.objectFormat === "sha256" ? 32 : 20).find(({ name: other }) =>
      other.equals(Buffer.from(name)),
    );
    if (old !== undefined && old.isFolder !== isFolder) return inTheWay(`${place.path}${name}`, isFolder);
    const added = isFolder
      ? await addFiles({ ...place, path: `${place.path}${name}/` }, old?.oid ?? null, inside(files, name))
      : ok(await writeObject(store, "blob", Buffer.from(text)));
    if (!added.ok) return added;
    body = withEntry(body, { name: Buffer.from(name), isFolder, oid: added.value });
  }
  return ok(await writeObject(store, "tree", body));
}

function inside(files: ReadonlyMap<string, string>, folder: string): Map<string, string> {
  const below = [...files].filter(([path]) => path.startsWith(`${folder}/`));
  return new Map(below.map(([path, text]) => [path.slice(folder.length + 1), text]));
}

function inTheWay(path: string, isFolder: boolean): Result<never, Failure<"in-the-way">> {
  const [is, wanted] = isFolder ? ["not a folder", "a folder"] : ["not a file", "a file"];
  return fail(
    "in-the-way",
    `${path} in the commit at HEAD is ${is}, and Stint needs ${wanted} there. Rename it and commit that.`,
  );
}
