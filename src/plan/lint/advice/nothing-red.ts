import { taskWarning } from "../../problem.ts";
import type { Problem, Task } from "../../types.ts";

/** If all checks of a task may pass before the work, a run considers the task done without any work. */
export function adviseNothingRed(task: Task): Problem[] {
  const { checks } = task;
  // A task with judge checks only is an error of its own.
  if (checks.every(({ kind }) => kind === "judge") || checks.some(({ red }) => red)) return [];
  const message =
    "No check of this task has to fail before the work: each is marked red: false or is a question for a judge, so a run would consider the task done without doing it. Remove red: false from a check that only the work makes pass, or add such a check.";
  return [taskWarning(task, ["checks"], { code: "nothing-red", message })];
}
