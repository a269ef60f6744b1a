import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Control } from "./control.ts";
import { parseRaw, type Change } from "./diff.ts";
import { looseFile, syncFolder, syncNames } from "./durable-names.ts";
import { assertOid } from "./names.ts";
import { gitOk, type GitOptions } from "./run.ts";

/**
 * A store is the control repository with the folder that objects are written to: its own, or that of the user's
 * repository. The user's configuration is not read in either case.
 */
export type ObjectStore = Pick<Control, "dir" | "objectsDir">;

/** Points git at a store. */
export function inStore({ dir, objectsDir }: ObjectStore): GitOptions & { readonly env: Record<string, string> } {
  return { gitDir: dir, env: { GIT_OBJECT_DIRECTORY: objectsDir } };
}

export interface NewTree {
  readonly tree: string;
  /** Commits or trees that are kept alive already; the first is what `tree` was made from. */
  readonly known: readonly [string, ...string[]];
  /** The result of `changesWithFolders`, if the caller has it. */
  readonly changes?: readonly Change[] | undefined;
  readonly signal?: AbortSignal | undefined;
}

const [absent, gitlink] = ["000000", "160000"];

/** Lists what differs between a tree and what it was made from, including folders. */
export async function changesWithFolders(store: ObjectStore, from: string, tree: string): Promise<Change[]> {
  const flags = ["-r", "-t", "-z", "--raw", "--no-abbrev", "--no-renames", "--ignore-submodules=none"];
  const args = ["diff-tree", ...flags, "--end-of-options", assertOid(from), assertOid(tree)];
  return parseRaw(await gitOk(args, inStore(store)));
}

/** Makes a store hold every object of a tree that is in none of the known ones. */
export async function keepTree(store: ObjectStore, { tree, known, signal, ...given }: NewTree): Promise<void> {
  const changes = given.changes ?? (await changesWithFolders(store, known[0], tree));
  const present = changes.filter(({ newMode }) => newMode !== absent && newMode !== gitlink);
  await keepObjects(store, { oids: [tree, ...present.map(({ newOid }) => newOid)], head: tree, known, signal });
}

/**
 * Makes a store hold these objects itself, under names that outlive a power cut. Git does not write what it finds in the
 * repository that it borrows from, and there `gc` deletes what nothing of the user's reaches: a file that was staged once
 * and reset, for example. In that case, everything that `head` needs beyond what is known becomes one pack.
 */
export async function keepObjects(
  store: ObjectStore,
  made: Pick<NewTree, "signal"> & {
    readonly oids: readonly string[];
    readonly head: string;
    readonly known: readonly string[];
  },
): Promise<void> {
  const { oids, head, known, signal } = made;
  if (oids.every((oid) => existsSync(looseFile(store, oid)))) return await syncNames(store, oids);
  const packs = join(store.objectsDir, "pack");
  const args = ["pack-objects", "--revs", "--non-empty", "-q", "--delta-base-offset", join(packs, "pack")];
  const revs = [assertOid(head), ...known.map((oid) => `^${assertOid(oid)}`)];
  const options = signal === undefined ? {} : { signal };
  await gitOk(args, { ...inStore(store), stdin: `${revs.join("\n")}\n`, ...options });
  // Some may be loose nevertheless, and the pack need not contain those.
  await syncNames(
    store,
    oids.filter((oid) => existsSync(looseFile(store, oid))),
  );
  await syncFolder(packs);
}
