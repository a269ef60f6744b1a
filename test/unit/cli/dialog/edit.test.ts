import { expect, test } from "vitest";
import { differenceOf } from "../../../../src/cli/dialog/edit.ts";

test("An edit goes back as a difference of each file, those that appear and disappear included.", () => {
  const before = new Map([
    ["plan.md", "one\n"],
    ["tasks/01-a.md", "gone\n"],
    ["scope.md", "same\n"],
  ]);
  const after = new Map([
    ["plan.md", "two\n"],
    ["tasks/02-b.md", ""],
    ["scope.md", "same\n"],
  ]);

  expect(differenceOf(before, after).split("\n")).toEqual([
    "--- plan.md",
    "+++ plan.md",
    "@@ -1,1 +1,1 @@",
    "-one",
    "+two",
    "--- tasks/01-a.md",
    "+++ /dev/null",
    "@@ -1,1 +0,0 @@",
    "-gone",
    "--- /dev/null",
    "+++ tasks/02-b.md",
  ]);
  expect(differenceOf(before, before)).toBe("");
});
