import { describe, expect, test } from "vitest";
import type { CheckEvidence } from "../../../../src/engine/evidence.ts";
import { parsePlan } from "../../../../src/plan/parse.ts";
import type { Plan } from "../../../../src/plan/types.ts";
import { checkProblems, type AnsweredGroup } from "../../../../src/planning/machine/check-problems.ts";
import { makes, plan, type TaskSpec } from "../../../rig/plan.ts";

type State = CheckEvidence["state"];

/** Lists the problems of a plan whose checks have these results, by owner. */
function problemsOf(
  { tasks, checks }: { readonly tasks: Readonly<Record<string, TaskSpec>>; readonly checks?: readonly unknown[] },
  states: Readonly<Record<string, readonly State[]>>,
): string[] {
  const files = Object.entries(plan({ tasks, ...(checks && { checks }) }));
  const parsed = parsePlan(new Map(files.map(([path, text]) => [path, { bytes: Buffer.from(text) }])), "work");
  if (parsed.plan === undefined) throw new Error(JSON.stringify(parsed.problems));
  const groups = Object.entries(states).map(([owner, answers]) => groupOf(parsed.plan!, owner, answers));
  return checkProblems(parsed.plan, groups).map(({ severity, file, message }) => `${severity}: ${file}: ${message}`);
}

function groupOf(read: Plan, owner: string, answers: readonly State[]): AnsweredGroup {
  const task = read.tasks.find(({ id }) => id === owner);
  const asked = (task ?? read).checks.filter((check) => check.kind !== "judge");
  const checked = asked.map((check, at) => {
    const label = check.kind === "run" ? check.run : check.path;
    const state = answers[at] ?? "red";
    return { check, evidence: { label, state, why: `it is ${state}`, tail: "", durationMs: 1 } };
  });
  return { task, file: task?.file ?? `${read.dir}/plan.md`, checked };
}

describe("what an earlier task may change is not decided by the base alone", () => {
  const second = (checks: readonly unknown[]) => makes("b.txt", { depends: ["01-a"], checks });

  test("a green check is an error, unless an earlier task touches what it names", () => {
    const removes = { "01-a": makes("temp/x.js"), "02-b": second([{ absent: "temp/x.js" }]) };
    expect(problemsOf({ tasks: removes }, { "02-b": ["green"] })).toEqual([
      expect.stringMatching(/^warning: tasks\/02-b\.md: proves nothing: .* It is fine only if 01-a changes that\.$/),
    ]);
    const other = { "01-a": makes("temp/x.js"), "02-b": second([{ absent: "temp/y.js" }]) };
    expect(problemsOf({ tasks: other }, { "02-b": ["green"] })).toEqual([
      expect.stringMatching(/^error: tasks\/02-b\.md: proves nothing: .* when the task is done\.$/),
    ]);
  });

  test("a broken check is an error, unless an earlier task may bring the program, the folder or what defines commands", () => {
    const brings = (file: string, check: unknown) => {
      const tasks = { "01-a": makes(file), "02-b": second([check]) };
      return problemsOf({ tasks }, { "02-b": ["broken"] })[0]?.split(":")[0];
    };
    expect(brings("bin/tool", "./bin/tool --all")).toBe("warning");
    expect(brings("pkg/go.mod", { run: "go test ./...", cwd: "pkg" })).toBe("warning");
    expect(brings("tools/**", "sh tools/look.sh")).toBe("warning");
    expect(brings("package.json", "npx vitest run")).toBe("warning");
    expect(brings("src/x.js", "./bin/tool --all")).toBe("error");
    expect(brings("bin/toolbox", "./bin/tool --all")).toBe("error");
  });

  test("a task that comes later, or beside it, changes nothing", () => {
    const tasks = { "01-a": makes("bin/tool"), "02-b": makes("b.txt", { checks: ["./bin/tool"] }) };
    expect(problemsOf({ tasks }, { "02-b": ["broken"] })[0]).toMatch(/^error: /);
  });
});

test("checks of the plan may be as they like on the base, as long as some task can make them answer", () => {
  const tasks = { "01-a": makes("bin/tool") };
  expect(problemsOf({ tasks, checks: ["make all"] }, { plan: ["green"] })).toEqual([]);
  expect(problemsOf({ tasks, checks: ["make all"] }, { plan: ["red"] })).toEqual([]);
  expect(problemsOf({ tasks, checks: ["bin/tool"] }, { plan: ["broken"] })[0]).toMatch(/^warning: plan\.md: /);
  expect(problemsOf({ tasks, checks: ["frobnicate"] }, { plan: ["broken"] })[0]).toMatch(/^error: plan\.md: /);
});

test("a set-up that failed is reported once, and nothing is concluded from checks that were not asked", () => {
  const files = plan({ tasks: { "01-a": makes("a"), "02-b": makes("b") } });
  const parsed = parsePlan(
    new Map(Object.entries(files).map(([path, text]) => [path, { bytes: Buffer.from(text) }])),
    "work",
  );
  const groups = parsed.plan!.tasks.map(({ id }) => groupOf(parsed.plan!, id, ["broken"]));
  const failed = groups.map((group) => ({
    ...group,
    checked: group.checked.map((one) => ({ ...one, evidence: { ...one.evidence, cause: "set-up" as const } })),
  }));
  expect(checkProblems(parsed.plan!, failed).map(({ file, severity }) => [file, severity])).toEqual([
    [".stint/config.yaml", "warning"],
  ]);
});
