import { expect, test } from "vitest";
import { exists, lint, task } from "../../../rig/lint.ts";

test("an unknown id is reported with the nearest one", () => {
  expect(lint([task("01-deps"), task("02-b", { depends: ["01-deps", "01-dep"] })])).toEqual([
    "plans/p/tasks/02-b.md:3:2: error: unknown-dependency: No task has the id 01-dep. Did you mean 01-deps?",
  ]);
  expect(lint([task("a", { depends: ["something-else"] })])).toEqual([
    "plans/p/tasks/a.md:3:1: error: unknown-dependency: No task has the id something-else. Add the task, or remove it from depends.",
  ]);
});

test("a task that depends on itself is reported, and the longer cycle beside it", () => {
  expect(lint([task("a", { depends: ["a", "b"] }), task("b", { depends: ["a"] })])).toEqual([
    "plans/p/tasks/a.md:3:1: error: self-dependency: Task a depends on itself. Remove it from depends.",
    "plans/p/tasks/a.md:3:2: error: cycle: Tasks wait for each other: a -> b -> a. Remove one of these dependencies.",
  ]);
});

test("a diamond is fine", () => {
  const tasks = [task("a"), task("b", { depends: ["a"] }), task("c", { depends: ["a"] })];
  expect(lint([...tasks, task("d", { depends: ["b", "c"] })])).toEqual([]);
});

test("in a cycle, nothing is said about files that might exist by then", () => {
  const a = task("a", { depends: ["b"], files: { modify: ["new.ts"] }, checks: [exists("new.ts")] });
  expect(lint([a, task("b", { depends: ["a"] })])).toHaveLength(1);
});
