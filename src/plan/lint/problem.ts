import { problemAt } from "../problem.ts";
import type { Problem, Task } from "../types.ts";

/** Where a value stands in front matter, such as `["files", "create", 0]`. */
export type Key = readonly (string | number)[];

/** An error at a front-matter key of a task. */
export function taskProblem(task: Task, key: Key, code: string, message: string): Problem {
  return problemAt(task.file, code, message, task.at(key));
}
