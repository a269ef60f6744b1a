import type { Position, Problem, Task } from "../../types.ts";

/** Advice about a place in a document. */
export function warningAt(file: string, at: Position, { code, message }: Pick<Problem, "code" | "message">): Problem {
  return { file, line: at.line, column: at.column, severity: "warning", code, message };
}

/** Advice about a front-matter key of a task. */
export function taskWarning(
  task: Task,
  key: readonly (string | number)[],
  said: Pick<Problem, "code" | "message">,
): Problem {
  return warningAt(task.file, task.at(key), said);
}

/** A list of names, cut after the first few. */
export function namesOf(names: readonly string[], namesMax: number): string {
  if (names.length <= 1) return names.join();
  if (names.length <= namesMax) return `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
  return `${names.slice(0, namesMax).join(", ")} and ${names.length - namesMax} more`;
}
