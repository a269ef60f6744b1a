import { expect, test } from "vitest";
import type { PageCheck, PageTask } from "../../../../src/cli/approval-page/model.ts";
import { checkItem, taskFacts, taskItems } from "../../../../src/cli/approval-page/tasks.ts";
import { plain } from "../../../../src/cli/paint.ts";
import { lay } from "../../../../src/cli/text-layout.ts";

const look = { width: 80, paint: plain, isUnicode: true };
const run: PageCheck = { kind: "run", run: "npm test", cwd: ".", env: {}, network: false, timeout_ms: 1, red: true };
const task: PageTask = {
  id: "01-a",
  title: "Add it",
  depends: [],
  files: { create: [], modify: [], delete: ["old.ts"], touch: ["src/**"] },
  estimate_ms: null,
  complexity: "high",
  role: "executor",
  wave: 1,
  critical: false,
  checks: [run],
};

test("a task says who does it where that is unusual, and all that it may touch", () => {
  expect(lay(taskFacts(task), look)).toEqual([
    "Task 01-a: Add it",
    "  wave 1; no estimate; by escalation (complex task)",
    "  may delete: old.ts",
    "  may create or modify: src/**",
  ]);
});

test("a command is shown with its folder, its variables and its network, each only if it is set", () => {
  const text = (more: Partial<typeof run>) => lay([checkItem({ ...run, ...more })], look);
  expect(text({})).toEqual(["  runs: npm test"]);
  expect(text({ cwd: "web", env: { CI: "1" }, network: true })).toEqual([
    "  runs: npm test  (in web, CI=1, with network)",
  ]);
});

test("checks of the rules are listed only where the page is about them; an empty list says none", () => {
  const headings = (page: Parameters<typeof taskItems>[0]) =>
    lay(taskItems(page), look).filter((line) => /:$|none/.test(line));
  expect(headings({ tasks: [], plan_checks: [] })).toEqual(["On the final tip:", "  none"]);
  expect(headings({ tasks: [], plan_checks: [], rules_checks: [run] })[0]).toBe("Also after every task:");
});
