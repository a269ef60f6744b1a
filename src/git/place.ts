import { fail, ok, type Failure, type Result } from "../base/result.ts";
import type { Control } from "./control.ts";
import { changedPaths } from "./diff.ts";
import { objectName, writeObject, type ObjectStore } from "./loose-object.ts";
import { assertOid, type Identity, splitNul } from "./names.ts";
import { readObjects } from "./objects.ts";
import { ownObjects } from "./own-objects.ts";
import { git, GitError } from "./run.ts";
import { treeEntries } from "./tree-object.ts";

export interface Conflict extends Failure<"conflict"> {
  readonly paths: readonly string[];
}

/** The tree that would land: the candidate's change since its base, on top of the tip. */
export async function placeOnTip(
  control: Control,
  at: {
    readonly tip: string;
    readonly base: string;
    readonly candidate: { readonly commit: string; readonly tree: string };
  },
): Promise<Result<{ readonly tree: string }, Conflict>> {
  if (at.base === at.tip) return ok({ tree: at.candidate.tree });
  const flags = ["--write-tree", "-z", "--name-only", "--no-messages"];
  const args = ["merge-tree", ...flags, "--end-of-options", assertOid(at.tip), assertOid(at.candidate.commit)];
  const result = await git(args, { gitDir: control.dir });
  if (result.code > 1) throw new GitError(args, result);
  const [tree = "", ...names] = splitNul(result.stdout).map((field) => field.toString("utf8"));
  if (result.code === 0) {
    await ownMerged(control, assertOid(tree), at);
    return ok({ tree });
  }
  const paths = [...new Set(names.filter((name) => name !== ""))];
  const { failure } = fail("conflict", `The change conflicts with tasks integrated meanwhile in ${paths.join(", ")}.`);
  return { ok: false, failure: { ...failure, paths } };
}

/** Git writes nothing it finds in the user's repository, so what the merge made may be borrowed from there. */
async function ownMerged(
  control: Control,
  tree: string,
  at: { readonly tip: string; readonly candidate: { readonly commit: string } },
): Promise<void> {
  const changes = await changedPaths(control, at.tip, tree);
  await ownObjects(control, { object: tree, tree, changes, known: [at.tip, at.candidate.commit] });
}

/** The same tree with one existing file's content replaced; used to tick the box inside the task's own commit. */
export async function writeTreeWith(
  control: Control,
  tree: string,
  file: { readonly path: string; readonly bytes: Uint8Array },
): Promise<string> {
  const parts = file.path.split("/");
  const names = parts.map((_, depth) => `${assertOid(tree)}:${parts.slice(0, depth).join("/")}`);
  const trees = await readObjects(control, names);
  let child = objectName(control.objectFormat, "blob", file.bytes);
  // Names follow from content, so all are known before the first is written, and the flushes run side by side.
  const objects: ["blob" | "tree", Uint8Array][] = [["blob", file.bytes]];
  for (let depth = parts.length - 1; depth >= 0; depth--) {
    const body = trees[depth];
    if (body?.type !== "tree") throw new Error(`Internal error: expected a file ${file.path} in tree ${tree}`);
    const next = replaceEntry(body.body, parts[depth] ?? "", child);
    child = objectName(control.objectFormat, "tree", next);
    objects.push(["tree", next]);
  }
  await Promise.all(objects.map(([type, body]) => writeObject(control, type, body)));
  return child;
}

/** Makes a commit object, on disk when it returns; no ref names it yet. */
export async function commitTree(
  store: ObjectStore,
  commit: {
    readonly tree: string;
    readonly parent: string;
    readonly message: string;
    readonly identity: Identity;
    readonly at: Date;
  },
): Promise<string> {
  const who = `${clean(commit.identity.name)} <${clean(commit.identity.email)}> ${Math.floor(commit.at.getTime() / 1000)} +0000`;
  const head = `tree ${assertOid(commit.tree)}\nparent ${assertOid(commit.parent)}\nauthor ${who}\ncommitter ${who}\n`;
  const message = commit.message.replaceAll("\0", "").trimEnd();
  return writeObject(store, "commit", Buffer.from(`${head}\n${message}\n`));
}

function replaceEntry(tree: Buffer, name: string, oid: string): Buffer {
  const next = Buffer.from(oid, "hex");
  const wanted = Buffer.from(name);
  const entry = treeEntries(tree, next.length).find((entry) => entry.name.equals(wanted));
  if (entry === undefined) throw new Error(`Internal error: expected an entry ${name} in a tree`);
  return Buffer.concat([tree.subarray(0, entry.oidAt), next, tree.subarray(entry.oidAt + next.length)]);
}

function clean(text: string): string {
  return text.replace(/[<>\n\0]/g, " ").trim();
}
