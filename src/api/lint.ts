import { advisedWorkTree } from "../approval/lint.ts";
import { openProject, findPlan } from "../project/project.ts";
import type { Problem } from "../plan/types.ts";
import { ok } from "../base/result.ts";
import { refused, type Answer } from "../project/refusals.ts";

/** Which plan to lint. */
export interface LintOptions {
  /** A folder of the repository. */
  readonly cwd: string;
  /** Which plan, where there are several. */
  readonly plan?: string;
}

/** Says what is wrong with a plan of a work tree, its rules and its settings, as `stint lint` does. */
export async function lintPlanIn({ cwd, plan }: LintOptions): Answer<readonly Problem[]> {
  const project = await openProject(cwd, process.env);
  if (!project.ok) return refused(project.failure);
  const selected = await findPlan(project.value.repo, plan, cwd);
  if (!selected.ok) return refused(selected.failure);
  return ok((await advisedWorkTree(project.value, selected.value)).problems);
}
