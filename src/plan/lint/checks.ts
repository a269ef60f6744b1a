import type { World } from "./world.ts";
import { isGlob, pathProblem } from "../paths.ts";
import { problemAt } from "../problem.ts";
import type { Check, Plan, Problem, Task } from "../types.ts";

/** Finds checks on files that nothing can create, so that no attempt could ever pass. */
export function lintChecks(task: Task, world: World): Problem[] {
  if (!world.isOrdered(task)) return [];
  const unmet = unmetChecks(task.checks, (path) => world.mayExistAfter(task, path));
  return unmet.map(({ check, path }) => {
    const why = world.isUncommitted(path)
      ? "which is not committed; a run starts from HEAD. Commit it first."
      : "which neither exists at HEAD nor is in the files of this task or a dependency. Correct the path, or add it to files.";
    return checkProblem(task.file, check, `looks at ${path}, ${why}`);
  });
}

/** The checks of the plan run on the final tip, where every task has done its part. */
export function lintPlanChecks(plan: Plan, world: World): Problem[] {
  const unmet = unmetChecks(plan.checks, (path) => world.mayExistAfter(undefined, path));
  return unmet.map(({ check, path }) => {
    const why = world.isUncommitted(path)
      ? "which is not committed; a run starts from HEAD. Commit it first."
      : "which neither exists at HEAD nor is in the files of any task. Correct the path, or add it to the files of a task.";
    return checkProblem(`${plan.dir}/plan.md`, check, `looks at ${path}, ${why}`);
  });
}

interface Unmet {
  readonly check: Check;
  readonly path: string;
}

function unmetChecks(checks: readonly Check[], mayExist: (path: string) => boolean): Unmet[] {
  return checks.flatMap((check) => {
    if (check.kind !== "exists" && check.kind !== "contains") return [];
    const path = check.path.replace(/\/$/, "");
    if (isGlob(path) || pathProblem(path) !== undefined || mayExist(path)) return [];
    return [{ check, path }];
  });
}

function checkProblem(file: string, check: Check, what: string): Problem {
  return problemAt(file, "check-on-nothing", `The ${check.kind} check ${what}`, check.at);
}
