import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Control } from "./control.ts";
import { syncFolder } from "./durable-names.ts";
import { assertOid, assertRef } from "./names.ts";
import { isAncestor, readRefIn } from "./refs.ts";
import { gitPipe } from "./run.ts";
import { inRepo, type UserRepo } from "./user-repo.ts";

/** A commit of a run and the ref of the user's repository that is to keep it alive. */
export interface Kept {
  readonly sha: string;
  readonly keepRef: string;
}

/**
 * Sends a commit with everything it needs beyond `known`, as one pack that no `gc` deletes: it has a `.keep` file until
 * `releasePacks`. Loose objects would be deleted by a `git prune --expire=now` before any ref names them.
 */
export async function sendKeptPack(
  repo: UserRepo,
  control: Control,
  { sha, keepRef, known }: Kept & { readonly known: string | null },
): Promise<void> {
  const thin = known === null ? [] : ["--thin"];
  const stdin = known === null ? `${sha}\n` : `${sha}\n^${known}\n`;
  const pack = ["pack-objects", "--revs", ...thin, "--stdout", "-q", "--delta-base-offset"];
  const keep = `--keep=${mark} ${assertRef(keepRef)} ${assertOid(sha)}`;
  await gitPipe(
    { args: pack, options: { gitDir: control.dir, stdin } },
    { args: ["index-pack", "--stdin", "--fix-thin", keep], options: inRepo(repo) },
  );
  await syncFolder(packsOf(repo));
}

/**
 * Releases those of Stint's packs to `gc` whose commits are held by their refs, including packs of publications that were
 * killed. What cannot be released now is released by a later publication.
 */
export async function releasePacks(repo: UserRepo, control: Control, held: Kept): Promise<void> {
  const names = await readdir(packsOf(repo)).catch(() => []);
  for (const name of names.filter((each) => each.endsWith(".keep"))) {
    const file = join(packsOf(repo), name);
    try {
      const kept = keptBy(await readFile(file, "utf8"));
      if (kept !== null && (await isHeld(repo, control, { kept, held }))) await rm(file);
    } catch {
      continue;
    }
  }
}

/** `git index-pack` writes this into the file; a `.keep` file with another text is the user's. */
const mark = "stint publishes";

function keptBy(text: string): Kept | null {
  const words = /^stint publishes (refs\/stint\/keep\/\S+) ([0-9a-f]{40,64})\n$/.exec(text);
  return words?.[1] === undefined || words[2] === undefined ? null : { keepRef: words[1], sha: words[2] };
}

async function isHeld(
  repo: UserRepo,
  control: Control,
  { kept, held }: { readonly kept: Kept; readonly held: Kept },
): Promise<boolean> {
  const tip = kept.keepRef === held.keepRef ? held.sha : await readRefIn(inRepo(repo), kept.keepRef);
  return tip !== null && isAncestor(control, kept.sha, tip);
}

function packsOf(repo: UserRepo): string {
  return join(repo.commonDir, "objects", "pack");
}
