import type { Control } from "./control.ts";
import { assertOid } from "./names.ts";
import { gitOk } from "./run.ts";

/** Those of the commits that neither the control repository nor the user's has any more, or only without their trees. */
export async function missingCommits(control: Control, commits: readonly string[]): Promise<string[]> {
  const stdin = commits.map((commit) => `${assertOid(commit)}^{tree}\n`).join("");
  const output = await gitOk(["cat-file", "--batch-check=%(objecttype)"], { gitDir: control.dir, stdin });
  const lines = output.toString("utf8").split("\n");
  return commits.filter((_, at) => lines[at] !== "tree");
}
