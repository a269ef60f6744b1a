import { join } from "node:path";
import { fail, ok, type Failure, type Result } from "../base/result.ts";
import type { Control } from "./control.ts";
import { additions, editTree, entriesAt } from "./edit-tree.ts";
import type { Identity } from "./names.ts";
import type { UserRepo } from "./user-repo.ts";
import { commitTree } from "./write-objects.ts";

/** A commit that adds files to another one. */
export interface Addition {
  readonly parent: string;
  /** The text of each file by its path. */
  readonly files: ReadonlyMap<string, string>;
  readonly message: string;
  readonly identity: Identity;
  readonly at: Date;
}

/**
 * Writes a commit with these files on top of its parent into the user's repository, where no ref names it: the checkout,
 * the index and the branches stay as they are, and the caller keeps it alive.
 */
export async function commitUnreferenced(
  repo: UserRepo,
  control: Control,
  { files, parent, ...commit }: Addition,
): Promise<Result<string, Failure<"in-the-way">>> {
  const store = { dir: control.dir, objectsDir: join(repo.commonDir, "objects") };
  const folders = foldersOf([...files.keys()]);
  for (const { rawPath, type } of await entriesAt(store, parent, [...folders, ...files.keys()], ["-t"])) {
    const path = Buffer.from(rawPath, "latin1").toString("utf8");
    const isFolder = type === "tree";
    if (folders.has(path) ? !isFolder : files.has(path) && isFolder) return inTheWay(path, !isFolder);
  }
  const bytes = new Map([...files].map(([path, text]) => [path, { bytes: Buffer.from(text) }]));
  const tree = await editTree(store, parent, () => additions(store, bytes));
  return ok(await commitTree(store, { tree, parent, ...commit }));
}

function foldersOf(paths: readonly string[]): Set<string> {
  const parts = paths.map((path) => path.split("/"));
  return new Set(parts.flatMap((names) => names.slice(1).map((_, at) => names.slice(0, at + 1).join("/"))));
}

function inTheWay(path: string, needsFolder: boolean): Result<never, Failure<"in-the-way">> {
  const [is, wanted] = needsFolder ? ["not a folder", "a folder"] : ["not a file", "a file"];
  return fail(
    "in-the-way",
    `${path} in the commit at HEAD is ${is}, and Stint needs ${wanted} there. Rename it and commit that.`,
  );
}
