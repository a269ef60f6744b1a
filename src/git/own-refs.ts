import { rm } from "node:fs/promises";
import { join } from "node:path";
import { assertOid, assertRef } from "./names.ts";
import { git, GitError, type GitOptions, type GitResult, oneAtATime } from "./run.ts";

/** Where refs are written: how git is pointed there, and the folder in which they and their locks lie. */
export interface RefStore {
  readonly options: GitOptions;
  readonly dir: string;
}

/** Lets a ref that only Stint writes name this commit, wherever it was before. */
export async function setOwnRef(store: RefStore, ref: string, next: string): Promise<void> {
  const args = ["update-ref", "--no-deref", "--end-of-options", assertRef(ref), assertOid(next)];
  const result = await oneAtATime(() => updateOwnRef(store, ref, { args }));
  if (result.code !== 0) throw new GitError(args, result);
}

/**
 * One call of `update-ref`, made again if a machine that died left a lock on `own`, which would stay for ever. Only the
 * run's own process writes that ref, and git has already waited a second for the lock, so nobody holds it any more.
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
