import type { Problem } from "../../plan/types.ts";

/** What is wrong with a draft, in words that its planner can act on. */
export interface DraftProblem {
  /** Errors go back to the planner; warnings go along and are shown. */
  readonly severity: Problem["severity"];
  /**
   * Who found it: lint, a check on the base, the record of questions (`open` where nobody answered one), the inputs, or
   * the comparison with what is done.
   */
  readonly source: "lint" | "check" | "decisions" | "open" | "inputs" | "done";
  /** As the planner knows it: `plan.md`, `tasks/01-a.md`. */
  readonly file: string;
  readonly line: number;
  readonly message: string;
}

/** With its place first, as people and planners read it. */
export function problemLine({ file, line, severity, message }: DraftProblem): string {
  return `${file}:${line}: ${severity}: ${message}`;
}
