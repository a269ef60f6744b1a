import { expect, test } from "vitest";
import { isAboutMissing, lintPlan } from "../../../../src/plan/lint/lint.ts";
import { defaultRules } from "../../../../src/plan/rules.ts";
import type { Task } from "../../../../src/plan/types.ts";
import { contains, exists, lint, plan, task } from "../../../rig/lint.ts";

test("unknown-role: a role must be one of the roles", () => {
  expect(lint([task("a", { role: "executer" as Task["role"] }), task("b", { role: "judge" })])).toEqual([
    "plans/p/tasks/a.md:2:1: error: unknown-role: No role is called executer. Did you mean executor?",
  ]);
});

test("what a ticked task names may exist already, or be gone", () => {
  const done = task("a", { files: { create: ["src/a.ts"], modify: ["gone.ts"] }, checks: [exists("nowhere.ts")] });
  const at = { line: 1, column: 1 };
  const taskLines = [{ id: "a", ticked: true, at }];
  expect(lint([], { plan: { ...plan([done]), taskLines } })).toEqual([]);
  expect(lint([done])).toHaveLength(3);
});

test("what is uncommitted explains what is missing, and changes nothing else", () => {
  const lacking = task("a", {
    depends: ["nobody"],
    files: { create: ["src/a.ts"], modify: ["new.ts", "more/*.ts", ".env"], delete: ["old.ts"] },
    sourceDocs: ["notes.md"],
    checks: [exists("seen.ts"), contains("src/a.ts")],
  });
  const input = { plan: plan([lacking], [exists("end.ts")]), rules: defaultRules, repoFiles: new Set(["src/a.ts"]) };
  const names = ["new.ts", "more/x.ts", "old.ts", "notes.md", "seen.ts", "end.ts", "src/a.ts", ".env", "nobody"];
  const without = lintPlan(input);
  const explained = lintPlan({ ...input, uncommitted: new Set(names) });
  expect(explained.map(({ code }) => code)).toEqual(without.map(({ code }) => code));
  const others = without.filter((problem) => !isAboutMissing(problem));
  expect(others).not.toEqual([]);
  expect(explained.filter((problem) => !isAboutMissing(problem))).toEqual(others);
  const missing = explained.filter(isAboutMissing).map(({ message }) => message);
  expect(missing).toHaveLength(6);
  for (const message of missing) expect(message).toMatch(/not committed/);
});

test("a plan of 10,000 tasks in a chain is no trouble", () => {
  const tasks = Array.from({ length: 10_000 }, (_, index) =>
    task(`t${index}`, {
      depends: index === 0 ? [] : [`t${index - 1}`],
      files: {
        create: [`src/m${index}/a.ts`, `lib/m${index}/**`],
        modify:
          index === 0 ? ["src/a.ts"] : ["src/a.ts", `src/m${index - 1}/a.ts`, `lib/m${index - 1}/x.ts`, `src/m0/*`],
      },
      checks: [exists(`src/m${index}/a.ts`), contains("src/m0/a.ts")],
    }),
  );
  expect(lint(tasks)).toEqual([]);
});
