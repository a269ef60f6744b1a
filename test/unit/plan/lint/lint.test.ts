import { expect, test } from "vitest";
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
