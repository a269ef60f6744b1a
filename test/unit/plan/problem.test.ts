import { expect, test } from "vitest";
import {
  keyLabel,
  problemAt,
  quoted,
  sortProblems,
  taskProblem,
  taskWarning,
  unreadableProblems,
} from "../../../src/plan/problem.ts";
import { task } from "../../rig/lint.ts";

test("an error without a place is about the file, and one about a key of a task stands at the key", () => {
  const said = { code: "c", message: "m" };
  expect(problemAt("f", "c", "m")).toEqual({ file: "f", line: 1, column: 1, severity: "error", ...said });
  const at = { file: "plans/p/tasks/a.md", line: 3, column: 2 };
  expect(taskProblem(task("a"), ["depends", 1], "c", "m")).toEqual({ ...at, severity: "error", ...said });
  expect(taskWarning(task("a"), ["depends", 1], said)).toEqual({ ...at, severity: "warning", ...said });
});

test("a quoted value is one line, and short", () => {
  expect(quoted('a\n"b"')).toBe('"a\\n\\"b\\""');
  expect(quoted("x".repeat(81))).toBe(`"${"x".repeat(80)}…"`);
  expect(quoted("x".repeat(80))).toBe(`"${"x".repeat(80)}"`);
});

test("a key is labelled as people write it", () => {
  expect(keyLabel(["files", "create", 0])).toBe("files.create[0]");
  expect(keyLabel([])).toBe("the document");
});

test("problems are sorted by file, line and column", () => {
  const places = [
    ["b", 1, 1],
    ["a", 10, 1],
    ["a", 2, 7],
    ["a", 2, 3],
  ] as const;
  const sorted = sortProblems(places.map(([file, line, column]) => problemAt(file, "c", "m", { line, column })));
  expect(sorted.map(({ file, line, column }) => `${file}:${line}:${column}`)).toEqual([
    ...["a:2:3", "a:2:7", "a:10:1", "b:1:1"],
  ]);
});

test("what cannot be read is an error, and what can is none", () => {
  const files = new Map([
    ["a", { bytes: new Uint8Array() }],
    ["b", { unreadable: "is a FIFO" }],
  ]);
  expect(unreadableProblems(files)).toEqual([problemAt("b", "unreadable", "is a FIFO")]);
});
