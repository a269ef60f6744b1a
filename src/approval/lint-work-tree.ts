import { listTree } from "../git/objects.ts";
import { dirtyPaths } from "../git/user-commit.ts";
import { head } from "../git/user-repo.ts";
import { readPlanFilesFromDisk } from "../plan/read.ts";
import { readPlan, type PlanReading } from "./committed-plan.ts";
import type { Project } from "../project/project.ts";

/** Lints the files on disk against the files at HEAD, on which a run would be based. */
export async function lintWorkTree({ repo, control, env }: Project, plan: string): Promise<PlanReading> {
  const tree = await listTree(control, (await head(repo)).sha);
  return readPlan(
    { env },
    {
      plan,
      files: readPlanFilesFromDisk(repo.root, plan),
      repoFiles: new Set(tree.map((entry) => entry.path)),
      uncommitted: new Set(await dirtyPaths(repo, ["."])),
    },
  );
}
