import { expect, test } from "vitest";
import { checkKey, checksToFix, distinct, finalChecks, isMechanical } from "../../../src/checks/checks.ts";
import type { Check, Plan, Rules, RunCheck } from "../../../src/plan/types.ts";

const runs = (run: string, more: Partial<RunCheck> = {}): RunCheck => {
  const rest = { timeoutMs: 1000, env: {}, cwd: ".", network: false, red: true, at: { line: 1, column: 1 } };
  return { kind: "run", run, ...rest, ...more };
};
const asks: Check = { kind: "judge", question: "Kind?", red: false, at: { line: 1, column: 1 } };
const plan = {
  tasks: [{ checks: [runs("a"), asks] }, { checks: [runs("b", { red: false }), runs("a")] }],
  checks: [runs("end")],
} as unknown as Plan;
const rules = { checks: [runs("lint", { red: false }), runs("b")] } as unknown as Rules;

test("Two checks are the same wherever they stand and whatever they were on the base, and differ by anything else.", () => {
  const key = checkKey(runs("a"));
  expect(checkKey(runs("a", { red: false, at: { line: 9, column: 2 } }))).toBe(key);
  const others = [runs("b"), runs("a", { cwd: "web" }), runs("a", { env: { A: "1" } }), runs("a", { network: true })];
  expect(new Set([key, ...others.map(checkKey)]).size).toBe(5);
});

test("Of equal checks the first one stays.", () => {
  const first = runs("a", { red: false });
  expect(distinct([first, runs("b"), runs("a")])).toEqual([first, runs("b")]);
});

test("The final checks are those of the tasks, the rules and the plan, each once, without questions for a judge.", () => {
  expect(finalChecks(plan, rules).map((check) => check.kind === "run" && check.run)).toEqual(["a", "b", "lint", "end"]);
  expect(isMechanical(asks)).toBe(false);
});

test("What a reopened task has to fix counts as a goal, though it was marked otherwise.", () => {
  const regression = { key: checkKey(runs("lint")) } as Parameters<typeof checksToFix>[2][number];
  expect(checksToFix(plan, rules, [regression])).toEqual([runs("lint")]);
  expect(checksToFix(plan, rules, [])).toEqual([]);
});
