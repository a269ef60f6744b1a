import { expect, test } from "vitest";
import { renderShape } from "../../../src/cli/render-shape.ts";
import { parsePlan } from "../../../src/plan/parse.ts";
import type { Problem } from "../../../src/plan/types.ts";
import { planFiles, type AdvisedTask } from "../../rig/advice.ts";

const problem = (severity: Problem["severity"]): Problem => ({ ...nothing, severity });
const nothing = { file: "f", line: 1, column: 1, code: "c", message: "m" };

function shapeOf(tasks: Readonly<Record<string, AdvisedTask>>, problems: readonly Problem[] = []): string | undefined {
  return renderShape(parsePlan(planFiles({ tasks }), "p").plan, problems);
}

test("the shape has the waves, the critical path and what lint found, each in singular or plural", () => {
  const tasks = {
    "01-a": { estimate: "30m" },
    "02-b": { estimate: "45m", depends: ["01-a"] },
    "03-c": { estimate: "45m", depends: ["01-a"] },
    "04-d": { estimate: "15m", depends: ["02-b", "03-c"] },
  };
  expect(shapeOf(tasks, [problem("warning"), problem("warning")])).toBe(
    "4 tasks in 3 waves; critical path 01-a > 02-b > 04-d, 1h 30m of 2h 15m in all; 2 warnings",
  );
  expect(shapeOf({ a: { estimate: "1h" } }, [problem("error"), problem("warning")])).toBe(
    "1 task in 1 wave; critical path a, 1h in all; 1 error; 1 warning",
  );
});

test("tasks without an estimate are counted as such", () => {
  expect(shapeOf({ a: {}, b: { estimate: "15m" } })).toBe(
    "2 tasks in 1 wave; critical path a, 30m of 45m in all (1 without an estimate, counted as 30m)",
  );
});

test("of a plan with a cycle it says what can be said", () => {
  const tasks = { a: { depends: ["b"] }, b: { depends: ["a"] }, c: { depends: ["b"] }, d: { estimate: "15m" } };
  expect(shapeOf(tasks, [problem("error")])).toBe(
    "3 tasks in or after a cycle; 1 task in 1 wave; critical path d, 15m in all; 1 error",
  );
});

test("of a plan that cannot be read only the problems are counted, and of nothing, nothing", () => {
  expect(renderShape(undefined, [problem("error"), problem("error")])).toBe("2 errors");
  expect(renderShape(undefined, [])).toBeUndefined();
});

test("a long path is shown by its ends", () => {
  const ids = Array.from({ length: 30 }, (_, at) => `t${at + 10}`);
  const tasks = Object.fromEntries(
    ids.map((id, at) => [id, { estimate: "1h", depends: at === 0 ? [] : [ids[at - 1]!] }]),
  );
  expect(shapeOf(tasks)).toBe(
    "30 tasks in 30 waves; critical path t10 > t11 > t12 > t13 > t14 > t15 > … 23 more … > t39, 30h in all",
  );
});
