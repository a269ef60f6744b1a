import { expect, test } from "vitest";
import { planningLimits } from "../../../../src/planning/limits.ts";
import { boundedProblems, problemLine, type DraftProblem } from "../../../../src/planning/machine/assessment.ts";

const problem = (file: string, line: number, more: Partial<DraftProblem> = {}): DraftProblem => ({
  ...{ severity: "error", source: "lint", file, line, message: "no" },
  ...more,
});

test("errors come first, then problems go by file and line", () => {
  const warning = problem("a.md", 1, { severity: "warning" });
  const all = [warning, problem("b.md", 2), problem("b.md", 1), problem("a.md", 10), problem("a.md", 9)];
  expect(boundedProblems(all).map(problemLine)).toEqual([
    "a.md:9: error: no",
    "a.md:10: error: no",
    "b.md:1: error: no",
    "b.md:2: error: no",
    "a.md:1: warning: no",
  ]);
});

test("a long message is cut, and problems beyond the bound are counted with the errors among them", () => {
  const max = planningLimits.draftProblemsMax;
  const long = problem("a.md", 1, { message: "x".repeat(2 * planningLimits.draftProblemCharsMax) });
  expect(boundedProblems([long])[0]?.message.length).toBeLessThanOrEqual(planningLimits.draftProblemCharsMax + 1);
  const many = Array.from({ length: max + 2 }, (_, at) => problem("a.md", at + 1));
  const bounded = boundedProblems([...many, problem("a.md", 1, { severity: "warning" })]);
  expect(bounded).toHaveLength(max + 1);
  expect(bounded.at(-1)).toMatchObject({
    severity: "error",
    message: "and 3 more problems, 2 of them errors, not listed here.",
  });
  expect(boundedProblems(many.slice(0, max))).toHaveLength(max);
});

test("warnings alone beyond the bound do not send a draft back", () => {
  const errors = Array.from({ length: planningLimits.draftProblemsMax }, (_, at) => problem("a.md", at + 1));
  const bounded = boundedProblems([...errors, problem("a.md", 1, { severity: "warning" })]);
  expect(bounded.at(-1)).toMatchObject({
    severity: "warning",
    message: expect.stringContaining("0 of them errors") as string,
  });
});
