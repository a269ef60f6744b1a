import { assertOid } from "./names.ts";
import { gitOk, type GitOptions } from "./run.ts";

/** Those of the commits that a repository and whatever it borrows from have not, or only without their trees. */
export async function missingCommits(where: GitOptions, commits: readonly string[]): Promise<string[]> {
  const stdin = commits.map((commit) => `${assertOid(commit)}^{tree}\n`).join("");
  const output = await gitOk(["cat-file", "--batch-check=%(objecttype)"], { ...where, stdin });
  const lines = output.toString("utf8").split("\n");
  return commits.filter((_, at) => lines[at] !== "tree");
}
