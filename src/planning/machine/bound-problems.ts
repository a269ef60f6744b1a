import { planningLimits } from "../limits.ts";
import { shortened } from "../../base/visible.ts";
import { plural } from "../../base/plural.ts";
import type { DraftProblem } from "./assessment.ts";

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
