import { findCycle } from "../graph.ts";
import { nearest } from "../nearest.ts";
import { taskProblem } from "../problem.ts";
import type { Problem, Task } from "../types.ts";
import { planLimits } from "../limits.ts";

/** Finds dependencies that can never be met. */
export function lintDepends(tasks: readonly Task[]): Problem[] {
  const ids = tasks.map((task) => task.id);
  const known = new Set(ids);
  const suggestions = new Map<string, string | undefined>();
  const suggest = (id: string): string | undefined => {
    if (!suggestions.has(id) && suggestions.size < planLimits.suggestionsMax) suggestions.set(id, nearest(id, ids));
    return suggestions.get(id);
  };
  return [...tasks.flatMap((task) => lintTask(task, known, suggest)), ...lintCycle(tasks)];
}

function lintTask(task: Task, known: ReadonlySet<string>, suggest: (id: string) => string | undefined): Problem[] {
  return task.depends.flatMap((id, index) => {
    if (id === task.id) {
      const message = `Task ${id} depends on itself. Remove it from depends.`;
      return [taskProblem(task, ["depends", index], "self-dependency", message)];
    }
    if (known.has(id)) return [];
    const near = suggest(id);
    const cure = near === undefined ? "Add the task, or remove it from depends." : `Did you mean ${near}?`;
    return [taskProblem(task, ["depends", index], "unknown-dependency", `No task has the id ${id}. ${cure}`)];
  });
}

/** A task that depends on itself is reported as that, and must not hide a longer cycle. */
function lintCycle(tasks: readonly Task[]): Problem[] {
  const cycle = findCycle(
    tasks.map(({ id, depends }) => ({ id, depends: depends.filter((dependency) => dependency !== id) })),
  );
  if (cycle === undefined) return [];
  const task = tasks.find(({ id }) => id === cycle[0])!;
  const key = ["depends", task.depends.indexOf(cycle[1]!)];
  const message = `Tasks wait for each other: ${cycle.join(" -> ")}. Remove one of these dependencies.`;
  return [taskProblem(task, key, "cycle", message)];
}
