import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Control } from "./control.ts";
import { syncFolder } from "./durable-names.ts";
import { assertOid, assertRef, joinNul, zeroLike } from "./names.ts";
import { git, GitError, gitOk, type GitOptions, type GitResult, oneAtATime } from "./run.ts";

/** A repository whose refs are written: how git is pointed at it, and the folder of its refs and their locks. */
export interface RefStore {
  readonly options: GitOptions;
  readonly dir: string;
}

/** Returns the control repository's refs, which are all Stint's own. */
export function refsOf(control: Control): RefStore {
  return { options: { gitDir: control.dir }, dir: control.dir };
}

/** Returns the commit that a ref of the control repository names; null if there is no such ref. */
export async function readRef(control: Control, ref: string): Promise<string | null> {
  return readRefIn({ gitDir: control.dir }, ref);
}

/** Does the same in any repository, even if the commit is missing there. */
export async function readRefIn(where: GitOptions, ref: string): Promise<string | null> {
  const args = ["show-ref", "--verify", "--hash", "--end-of-options", assertRef(ref)];
  const result = await git(args, where);
  if (result.code === 0) return result.stdout.toString("utf8").trim();
  if (result.stderr.includes("not a valid ref")) return null;
  const dangling = /: bad ref \S+ \(([0-9a-f]+)\)$/m.exec(result.stderr)?.[1];
  if (dangling !== undefined) return assertOid(dangling);
  throw new GitError(args, result);
}

/** Lists the control repository's refs below a prefix, each with the commit it names. */
export async function listRefs(control: Control, prefix: string): Promise<Map<string, string>> {
  const args = ["for-each-ref", "--format=%(objectname) %(refname)", "--end-of-options", assertRef(prefix)];
  const lines = (await gitOk(args, { gitDir: control.dir })).toString("utf8").split("\n").filter(Boolean);
  return new Map(lines.map((line) => [line.slice(line.indexOf(" ") + 1), line.slice(0, line.indexOf(" "))]));
}

/** Deletes refs of the control repository, all or none, if each still names the given commit. */
export async function deleteRefs(control: Control, refs: ReadonlyMap<string, string>): Promise<void> {
  const fields = [...refs].flatMap(([ref, oid]) => [`delete ${assertRef(ref)}`, assertOid(oid)]);
  const args = ["update-ref", "--no-deref", "-z", "--stdin"];
  await oneAtATime(() => gitOk(args, { gitDir: control.dir, stdin: joinNul(fields) }));
}

/** Moves a ref only if it is still where the caller saw it (null: absent); otherwise the result says where it is. */
export async function compareAndSwapRef(
  control: Control,
  ref: string,
  swap: { readonly next: string; readonly old: string | null },
): Promise<"moved" | { readonly actual: string | null }> {
  const old = swap.old ?? zeroLike(swap.next);
  const args = ["update-ref", "--no-deref", "--end-of-options", assertRef(ref), assertOid(swap.next), assertOid(old)];
  return oneAtATime(async () => {
    const result = await updateOwnRef(refsOf(control), ref, { args });
    const actual = result.code === 0 ? swap.next : await readRef(control, ref);
    if (result.code !== 0 && actual === swap.old) throw new GitError(args, result);
    // A process that died may have moved it: the next event relies on this name, too.
    if (actual === swap.next) await syncRefName(control, ref);
    return result.code === 0 ? "moved" : { actual };
  });
}

/** Points a ref that only Stint writes at this commit, wherever it was before. */
export async function setOwnRef(store: RefStore, ref: string, next: string): Promise<void> {
  const args = ["update-ref", "--no-deref", "--end-of-options", assertRef(ref), assertOid(next)];
  const result = await oneAtATime(() => updateOwnRef(store, ref, { args }));
  if (result.code !== 0) throw new GitError(args, result);
}

/**
 * Calls `update-ref`, and calls it again without the lock on `own` if a machine that died left one, which would stay for
 * ever. Only the run's own process writes that ref, and git has waited a second for the lock, so no process holds it.
 */
export async function updateOwnRef(
  store: RefStore,
  own: string,
  call: { readonly args: readonly string[]; readonly stdin?: string },
): Promise<GitResult> {
  const args = ["-c", "core.filesRefLockTimeout=1000", ...call.args];
  const options = { ...store.options, ...(call.stdin === undefined ? {} : { stdin: call.stdin }) };
  const result = await git(args, options);
  if (result.code === 0 || !result.stderr.includes(`${own}.lock': File exists`)) return result;
  await rm(join(store.dir, `${own}.lock`), { force: true });
  return git(args, options);
}

/** Makes the name of a ref durable, and the folders that git made for it: git itself syncs only the content. */
async function syncRefName(control: Control, ref: string): Promise<void> {
  const parts = assertRef(ref).split("/").slice(0, -1);
  const folders = parts.map((_, depth) => join(control.dir, ...parts.slice(0, depth + 1)));
  await Promise.all([control.dir, ...folders].map((folder) => syncFolder(folder)));
}

/** Whether everything in `ancestor` is also in `descendant`; a commit is its own ancestor. */
export async function isAncestor(control: Control, ancestor: string, descendant: string): Promise<boolean> {
  if (ancestor === descendant) return true;
  const args = ["merge-base", "--is-ancestor", "--end-of-options", assertOid(ancestor), assertOid(descendant)];
  const result = await git(args, { gitDir: control.dir });
  if (result.code > 1) throw new GitError(args, result);
  return result.code === 0;
}
