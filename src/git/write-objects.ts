import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Control } from "./control.ts";
import { parseRaw, type Change } from "./diff.ts";
import { looseFile, syncFolder, syncNames } from "./durable-names.ts";
import { assertOid, type Identity } from "./names.ts";
import { gitOk, type GitOptions } from "./run.ts";

/**
 * A store is the control repository with the folder that objects are written to: its own, or that of the user's
 * repository. The user's configuration is not read in either case.
 */
export type ObjectStore = Pick<Control, "dir" | "objectsDir">;

export interface Commit {
  readonly tree: string;
  readonly parent: string;
  readonly message: string;
  readonly identity: Identity;
  readonly at: Date;
}

export interface NewTree {
  readonly tree: string;
  /** Commits or trees that are kept alive already; the first is what `tree` was made from. */
  readonly known: readonly [string, ...string[]];
  /** The result of `changesWithFolders`, if the caller has it. */
  readonly changes?: readonly Change[] | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Points git at a store. */
export function inStore({ dir, objectsDir }: ObjectStore): GitOptions & { readonly env: Record<string, string> } {
  return { gitDir: dir, env: { GIT_OBJECT_DIRECTORY: objectsDir } };
}

/** Writes an object by its bytes: no filter and no conversion of line ends applies. Git refuses a tree that it cannot parse. */
export async function writeObject(store: ObjectStore, type: "blob" | "tree", bytes: Uint8Array): Promise<string> {
  const output = await gitOk(["hash-object", "-t", type, "-w", "--stdin"], { ...inStore(store), stdin: bytes });
  return output.toString("utf8").trim();
}

/** Makes a commit that is on the disk when this returns; no ref names it yet. */
export async function commitTree(store: ObjectStore, commit: Commit): Promise<string> {
  const { tree, parent } = commit;
  const args = ["-c", "i18n.commitEncoding=UTF-8", "commit-tree", assertOid(tree), "-p", assertOid(parent), "-F", "-"];
  const where = inStore(store);
  const stdin = `${commit.message.replaceAll("\0", "").trimEnd()}\n`;
  const output = await gitOk(args, { ...where, stdin, env: { ...where.env, ...signature(commit) } });
  const oid = output.toString("utf8").trim();
  await keepObjects(store, { oids: [oid], head: oid, known: [parent, tree] });
  return oid;
}

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

const [absent, gitlink] = ["000000", "160000"];

/**
 * Makes a store hold these objects itself, under names that outlive a power cut. Git does not write what it finds in the
 * repository that it borrows from, and there `gc` deletes what nothing of the user's reaches: a file that was staged once
 * and reset, for example. In that case, everything that `head` needs beyond what is known becomes one pack.
 */
async function keepObjects(
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

function signature({ identity, at }: Commit): Record<string, string> {
  const [name, email] = [clean(identity.name), clean(identity.email)];
  const date = `@${Math.floor(at.getTime() / 1000)} +0000`;
  return {
    GIT_AUTHOR_NAME: name,
    GIT_AUTHOR_EMAIL: email,
    GIT_AUTHOR_DATE: date,
    GIT_COMMITTER_NAME: name,
    GIT_COMMITTER_EMAIL: email,
    GIT_COMMITTER_DATE: date,
  };
}

function clean(text: string): string {
  return text.replace(/[<>\n\0]/g, " ").trim();
}
