import type { CheckedGroup } from "../../approval/check-plan.ts";
import type { TaskChange } from "../../plan/diff.ts";
import type { Plan, Problem } from "../../plan/types.ts";
import { planningLimits } from "../limits.ts";
import { shortened } from "../../base/visible.ts";
import { plural } from "../../base/plural.ts";

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
  /** The plan's folder by path in the repository, with decisions recorded and inputs beside it. */
  readonly documents: ReadonlyMap<string, Uint8Array>;
  /** The proposal for `.stint/rules.md`, null where there is none or it changes nothing. */
  readonly rules: Uint8Array | null;
  /** Undefined where it cannot be read as a plan. */
  readonly plan: Plan | undefined;
  readonly problems: readonly DraftProblem[];
  /** Every check on the base; empty where lint rejected the draft. */
  readonly checked: readonly CheckedGroup[];
  /** How it differs from the plan that is revised; empty for a new one. */
  readonly changes: readonly TaskChange[];
  /** The hash of the plan that these are against; null for a new one. */
  readonly against: string | null;
}

/** Formats a problem with its position first, as people and planners read it. */
export function problemLine({ file, line, severity, message }: DraftProblem): string {
  return `${file}:${line}: ${severity}: ${message}`;
}

/** Sorts errors first, then by file and line; problems beyond the bound are only counted. */
export function boundedProblems(problems: readonly DraftProblem[]): DraftProblem[] {
  const sorted = problems.toSorted(
    (a, b) => rank(a) - rank(b) || (a.file === b.file ? a.line - b.line : a.file < b.file ? -1 : 1),
  );
  const listed = sorted.slice(0, planningLimits.draftProblemsMax).map((problem) => ({
    ...problem,
    message: shortened(problem.message, planningLimits.draftProblemCharsMax),
  }));
  const rest = sorted.slice(planningLimits.draftProblemsMax);
  const [first] = rest;
  if (first === undefined) return listed;
  const errors = rest.filter(({ severity }) => severity === "error").length;
  const message = `and ${plural(rest.length, "more problem")}, ${errors} of them errors, not listed here.`;
  return [...listed, { severity: first.severity, source: "lint", file: "plan.md", line: 1, message }];
}

function rank({ severity }: DraftProblem): number {
  return severity === "error" ? 0 : 1;
}
