import { expect, test } from "vitest";
import { parsePlan } from "../../../../src/plan/parse.ts";
import type { Plan, Problem } from "../../../../src/plan/types.ts";
import { lintProblems, ownName, unmadeTests, unnamedInputs } from "../../../../src/planning/machine/lint-problems.ts";
import { makes, plan, type TaskSpec } from "../../../rig/plan.ts";

function planOf(tasks: Readonly<Record<string, TaskSpec>>): Plan {
  const files = Object.entries(plan({ tasks })).map(([path, text]) => [path, { bytes: Buffer.from(text) }] as const);
  const parsed = parsePlan(new Map(files), "work");
  if (parsed.plan === undefined) throw new Error(JSON.stringify(parsed.problems));
  return parsed.plan;
}

const found = (file: string, more: Partial<Problem> = {}): Problem => ({
  ...{ file, line: 3, column: 1, severity: "error", code: "x", message: "wrong" },
  ...more,
});

const about = { dir: "plans/work", inputs: new Set(["inputs/a.md", "inputs/docs/b.md"]) };

test("a planner reads its own file names, and rules that it proposed under the name that it gave them", () => {
  expect(ownName("plans/work/tasks/01-a.md", "plans/work")).toBe("tasks/01-a.md");
  expect(ownName("plans/work/proposed-rules.md", "plans/work")).toBe("rules.md");
  expect(ownName("plans/workshop/plan.md", "plans/work")).toBe("plans/workshop/plan.md");
});

test("errors outside the draft are warnings, because its planner cannot fix them; a missing script in it is an error", () => {
  const severities = (...problems: Problem[]) => lintProblems(problems, about).map(({ severity }) => severity);
  expect(severities(found("plans/work/plan.md"), found(".stint/rules.md"))).toEqual(["error", "warning"]);
  const advice = { severity: "warning", code: "missing-script" } as const;
  expect(severities(found("plans/work/tasks/a.md", advice), found(".stint/rules.md", advice))).toEqual([
    "error",
    "warning",
  ]);
});

test("an input that is named as in the inbox is explained with its path in the repository", () => {
  const hintFor = (entry: string) => {
    const message = `source_docs names ${entry}, which does not exist`;
    const [problem] = lintProblems([found("plans/work/tasks/a.md", { code: "missing-input", message })], about);
    return problem?.message.slice(message.length);
  };
  expect(hintFor("inputs/a.md")).toBe(" The input is plans/work/inputs/a.md in the repository.");
  expect(hintFor("inputs/docs/")).toBe(" The input is plans/work/inputs/docs/ in the repository.");
  expect(hintFor("inputs/none.md")).toBe("");
});

test("a test that a check runs must exist, or be made by the task or one before it", () => {
  const runs = (path: string) => ({ checks: [`node --test ${path}`] });
  const problemsOf = (tasks: Readonly<Record<string, TaskSpec>>) =>
    unmadeTests(planOf(tasks), new Set(["test/old.test.js"])).map(({ severity, file }) => `${severity} ${file}`);
  expect(problemsOf({ "01-a": makes("a.js", runs("test/none.test.js")) })).toEqual(["error tasks/01-a.md"]);
  expect(problemsOf({ "01-a": makes("a.js", runs("test/old.test.js")) })).toEqual([]);
  expect(problemsOf({ "01-a": makes("test/new.test.js", runs("test/new.test.js")) })).toEqual([]);
  const later = makes("b.js", { ...runs("test/new.test.js"), depends: ["01-a"] });
  expect(problemsOf({ "01-a": makes("test/new.test.js"), "02-b": later })).toEqual([]);
  expect(problemsOf({ "01-a": makes("test/new.test.js"), "02-b": { ...later, depends: [] } })).toEqual([
    "error tasks/02-b.md",
  ]);
  // The output of a build is in no list of files.
  expect(problemsOf({ "01-a": makes("a.js", runs("built/x.test.js")) })).toEqual(["warning tasks/01-a.md"]);
});

test("every input must be named by a task", () => {
  const named = planOf({ "01-a": makes("a.js", { source_docs: ["plans/work/inputs/docs/"] }) });
  expect(unnamedInputs(named, ["inputs/docs/b.md", "inputs/a.md"])).toMatchObject([
    { severity: "error", source: "inputs", file: "inputs/a.md" },
  ]);
});
