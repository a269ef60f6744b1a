import { missingCommits } from "./objects.ts";
import { assertRef } from "./names.ts";
import { git, gitOk } from "./run.ts";
import { inRepo, type UserRepo } from "./user-repo.ts";

/** Refs of the user's repository that matter to a publication. */
export interface RelatedRefs {
  readonly refs: ReadonlyMap<string, string>;
  /** The objects that some of them name and that do not exist. */
  readonly missing: ReadonlySet<string>;
}

/** Lists the branch, the branches that cannot exist beside it (`a` beside `a/b`), and the refs that keep the run's commits alive. */
export async function relatedRefs(
  repo: UserRepo,
  { branch, keepRef }: { readonly branch: string; readonly keepRef: string },
): Promise<RelatedRefs> {
  const kept = assertRef(keepRef).replace(/\/[^/]*$/, "");
  const names = [`refs/heads/${branch}`, ...parentsOf(branch), kept];
  const list = (format: string) => ["for-each-ref", `--format=${format}`, "--end-of-options", ...names];
  // Asking for the type makes git look for the object, and fail if it is missing.
  const whole = await git(list("%(objectname) %(refname) %(objecttype)"), inRepo(repo));
  if (whole.code === 0) return { refs: parse(whole.stdout), missing: new Set() };
  const refs = parse(await gitOk(list("%(objectname) %(refname)"), inRepo(repo)));
  return { refs, missing: new Set(await missingCommits(inRepo(repo), [...refs.values()])) };
}

/** Returns the full names of the branches that cannot exist beside this one because they are its folders. */
export function parentsOf(branch: string): string[] {
  const parts = branch.split("/").slice(0, -1);
  return parts.map((_, at) => `refs/heads/${parts.slice(0, at + 1).join("/")}`);
}

function parse(output: Buffer): Map<string, string> {
  const lines = output.toString("utf8").split("\n").filter(Boolean);
  return new Map(lines.map((line) => line.split(" ")).map(([oid = "", name = ""]) => [name, oid]));
}
