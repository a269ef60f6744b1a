import { fail, ok, type Failure, type Result } from "../base/result.ts";
import type { Control } from "./control.ts";
import { keepTree } from "./write-objects.ts";
import { assertOid, splitNul } from "./names.ts";
import { git, GitError } from "./run.ts";

export interface Conflict extends Failure<"conflict"> {
  readonly paths: readonly string[];
}

/** Merges the change of a candidate since its base with the tip, and returns the tree that would land. */
export async function mergeOnTip(
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
    await keepTree(control, { tree: assertOid(tree), known: [at.tip, at.candidate.commit] });
    return ok({ tree });
  }
  const paths = [...new Set(names.filter((name) => name !== ""))];
  const { failure } = fail(
    "conflict",
    `The change conflicts with tasks that were integrated meanwhile: ${paths.join(", ")}.`,
  );
  return { ok: false, failure: { ...failure, paths } };
}
