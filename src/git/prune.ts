import { lstat, readdir, rm, unlink } from "node:fs/promises";
import { join } from "node:path";
import type { Control } from "./control.ts";
import { looseFile } from "./durable-names.ts";
import { privateIndexName } from "./edit-tree.ts";
import { assertOid } from "./names.ts";
import { gitOk } from "./run.ts";

export interface Pruning {
  /** Objects that no ref names yet and that stay with everything they need; missing ones are ignored. */
  readonly kept: ReadonlySet<string>;
  /** Objects that were written later stay. */
  readonly before: Date;
  readonly signal: AbortSignal;
}

/**
 * Deletes loose objects of the control repository that nothing reaches; the caller makes sure that no process writes there.
 * `git prune` only lists what it would delete: it would also drop each object that it finds in a pack of the user's
 * repository, where `gc` may delete it later, and `git repack` does the same. So packs stay as they are. Private indexes
 * that killed processes left are deleted, too.
 */
export async function pruneLooseObjects(control: Control, { kept, before, signal }: Pruning): Promise<void> {
  const heads = await present(control, kept);
  const expire = `--expire=${before.toISOString().replace(/\.\d+Z$/, "Z")}`;
  const output = await gitOk(["prune", "--dry-run", expire, "--", ...heads], { gitDir: control.dir, signal });
  const lines = output.toString("utf8").split("\n");
  for (const line of lines) {
    const oid = /^([0-9a-f]{40,64}) (?:commit|tree|blob|tag)$/.exec(line)?.[1];
    if (oid === undefined) continue;
    signal.throwIfAborted();
    const file = looseFile(control, assertOid(oid));
    // Checked again: an object that was written again since then has a new time.
    if ((await lstat(file)).mtimeMs < before.getTime()) await unlink(file);
  }
  await removePrivateIndexes(control, before);
}

async function removePrivateIndexes(control: Control, before: Date): Promise<void> {
  for (const name of await readdir(control.dir)) {
    const file = join(control.dir, name);
    if (privateIndexName.test(name) && (await lstat(file)).mtimeMs < before.getTime()) await rm(file);
  }
}

async function present(control: Control, oids: ReadonlySet<string>): Promise<string[]> {
  const stdin = [...oids].map((oid) => `${assertOid(oid)}\n`).join("");
  const args = ["cat-file", "--batch-check=%(objectname) %(objecttype)"];
  const lines = (await gitOk(args, { gitDir: control.dir, stdin })).toString("utf8").split("\n");
  return lines.flatMap((line) => /^([0-9a-f]+) (?!missing$)/.exec(line)?.[1] ?? []);
}
