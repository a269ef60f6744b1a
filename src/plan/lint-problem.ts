import type { Position, Problem, Task } from "./types.ts";

/** Where a value stands in front matter, such as `["files", "create", 0]`. */
export type Key = readonly (string | number)[];

/** An error in some file; warnings are made from it. */
export function problemAt(
  place: { readonly file: string; readonly at: Position },
  code: string,
  message: string,
): Problem {
  const { file, at } = place;
  return { file, line: at.line, column: at.column, severity: "error", code, message };
}

/** An error at a front-matter key of a task. */
export function taskProblem(task: Task, key: Key, code: string, message: string): Problem {
  return problemAt({ file: task.file, at: task.at(key) }, code, message);
}

/** Orders problems as a reader meets them; code units, so that the order is the same in every locale. */
export function byPosition(a: Problem, b: Problem): number {
  if (a.file !== b.file) return a.file < b.file ? -1 : 1;
  return a.line - b.line || a.column - b.column;
}
