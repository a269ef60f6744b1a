import type { World } from "./world.ts";
import { isGlob, pathProblem } from "../paths.ts";
import { taskProblem } from "../problem.ts";
import type { Problem, Task } from "../types.ts";

/** Finds source documents that will not exist, because an agent that is sent to read them would improvise. */
export function lintInputs(task: Task, world: World): Problem[] {
  if (!world.isOrdered(task)) return [];
  return task.sourceDocs.flatMap((entry, index) => {
    const path = entry.replace(/\/$/, "");
    if (pathProblem(path) !== undefined || mayBeThere(task, path, world)) return [];
    const why = world.isUncommitted(path)
      ? "which is not committed; a run starts from HEAD. Commit it first."
      : "which neither exists at HEAD nor is created by a dependency. Correct the path, or remove the entry.";
    return [taskProblem(task, ["source_docs", index], "missing-input", `source_docs names ${entry}, ${why}`)];
  });
}

function mayBeThere(task: Task, path: string, world: World): boolean {
  return isGlob(path) ? world.globFinds(task, path) : world.mayExistBefore(task, path);
}
