import { expect, test } from "vitest";
import { fileMeant, reviewWord } from "../../../../src/cli/dialog/review.ts";

test.each([
  ["a", { word: "accept", rest: "" }],
  ["Accept", { word: "accept", rest: "" }],
  ["r split the first task", { word: "revise", rest: "split the first task" }],
  ["e tasks/01-a.md 02-b", { word: "edit", rest: "tasks/01-a.md 02-b" }],
  ["s  scope", { word: "show", rest: "scope" }],
  ["j", { word: "reject", rest: "" }],
  ["", undefined],
  ["yes", undefined],
  ["constructor", undefined],
])("The line %j at a draft is understood.", (line, word) => {
  expect(reviewWord(line)).toEqual(word);
});

test("A file of a draft is meant by its name, without its ending, or by the id of a task.", () => {
  const files = ["plan.md", "scope.md", "tasks/01-a.md"];

  expect(["plan.md", "scope", "tasks/01-a.md", "01-a"].map((name) => fileMeant(files, name))).toEqual([
    "plan.md",
    "scope.md",
    "tasks/01-a.md",
    "tasks/01-a.md",
  ]);
  expect(fileMeant(files, "../plan.md")).toBeUndefined();
});
