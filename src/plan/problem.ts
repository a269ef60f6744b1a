import type { PlanFiles, Position, Problem, Task } from "./types.ts";

const start: Position = { line: 1, column: 1 };

/** Makes an error at a place; without one, it is about the file as a whole and stands at its start. */
export function problemAt(file: string, code: string, message: string, at: Position = start): Problem {
  return { file, line: at.line, column: at.column, severity: "error", code, message };
}

/** Makes an error at a front-matter key of a task, such as `["files", "create", 0]`. */
export function taskProblem(task: Task, key: readonly (string | number)[], code: string, message: string): Problem {
  return problemAt(task.file, code, message, task.at(key));
}

/** Makes a warning, which is advice about a place in a document. */
export function warningAt(file: string, at: Position, { code, message }: Pick<Problem, "code" | "message">): Problem {
  return { file, line: at.line, column: at.column, severity: "warning", code, message };
}

/** Makes a warning at a front-matter key of a task. */
export function taskWarning(
  task: Task,
  key: readonly (string | number)[],
  said: Pick<Problem, "code" | "message">,
): Problem {
  return warningAt(task.file, task.at(key), said);
}

/** Quotes a value for a message: on one line, and short even when a hostile file made it long. */
export function quoted(value: string): string {
  return JSON.stringify(value.length > 80 ? `${value.slice(0, 80)}…` : value);
}

/** Writes a key as people do, such as `files.create[0]`. */
export function keyLabel(path: readonly (string | number)[]): string {
  const [first, ...rest] = path;
  if (first === undefined) return "the document";
  return String(first) + rest.map((step) => (typeof step === "number" ? `[${step}]` : `.${step}`)).join("");
}

/** Reports files that exist but cannot be read, so that they do not pass for absent. */
export function unreadableProblems(files: PlanFiles): Problem[] {
  return [...files].flatMap(([path, file]) =>
    "unreadable" in file ? [problemAt(path, "unreadable", file.unreadable)] : [],
  );
}

/** Sorts problems as people fix things: by file, then from top to bottom. */
export function sortProblems(problems: readonly Problem[]): Problem[] {
  return problems.toSorted(
    (a, b) => (a.file === b.file ? 0 : a.file < b.file ? -1 : 1) || a.line - b.line || a.column - b.column,
  );
}
