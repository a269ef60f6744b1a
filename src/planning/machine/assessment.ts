import type { CheckedGroup } from "../../approval/check-plan.ts";
import type { TaskChange } from "../../plan/diff.ts";
import type { Plan, Problem } from "../../plan/types.ts";

/** A problem of a draft, in words that its planner can act on. */
export interface DraftProblem {
  /** Errors send the draft back to the planner; warnings go along and are shown. */
  readonly severity: Problem["severity"];
  /**
   * What found it: lint, a check on the base, the record of questions (`open` where one has no answer), the inputs, or
   * the comparison with what is done.
   */
  readonly source: "lint" | "check" | "decisions" | "open" | "inputs" | "done";
  /** The name that the planner knows: `plan.md`, `tasks/01-a.md`. */
  readonly file: string;
  readonly line: number;
  readonly message: string;
}

/** A draft as it would be committed, and what is wrong with it. */
export interface AssessedDraft {
  /** By path in the repository: the plan's folder with decisions recorded and inputs beside it. */
  readonly documents: ReadonlyMap<string, Uint8Array>;
  /** The proposal for `.stint/rules.md`, null where there is none or it changes nothing. */
  readonly rules: Uint8Array | null;
  /** Undefined where it cannot be read as a plan. */
  readonly plan: Plan | undefined;
  readonly problems: readonly DraftProblem[];
  /** Every check on the base; empty where lint rejected the draft. */
  readonly checked: readonly CheckedGroup[];
  /** Against the plan that is revised; empty for a new one. */
  readonly changes: readonly TaskChange[];
  /** The hash of the plan that these are against; null for a new one. */
  readonly against: string | null;
}

/** Formats a problem with its position first, as people and planners read it. */
export function problemLine({ file, line, severity, message }: DraftProblem): string {
  return `${file}:${line}: ${severity}: ${message}`;
}
