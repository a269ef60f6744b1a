import type { Check, Problem, Task } from "../../types.ts";
import { taskWarning } from "./warning.ts";

/** A task whose checks may all be green before the work is taken for done without any. */
export function adviseNothingRed(task: Task): Problem[] {
  const { checks } = task;
  // Where only a judge is asked, that is an error of its own.
  if (checks.every(({ kind }) => kind === "judge") || checks.some(canBeRed)) return [];
  const message =
    "No check of this task has to be red before the work: each is marked red: false or is a judge's question, so a run would take the task for done without doing it. Leave red: false out where the work turns the check green, or add a check that does.";
  return [taskWarning(task, ["checks"], { code: "nothing-red", message })];
}

/** Whether a check can show that a task was needed. */
export function canBeRed({ red }: Check): boolean {
  return red;
}
