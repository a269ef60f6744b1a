import { expect, test } from "vitest";
import { answerOf } from "../../../../src/cli/dialog/ask.ts";
import { differenceOf } from "../../../../src/cli/dialog/edit.ts";
import { fileMeant, reviewWord } from "../../../../src/cli/dialog/review.ts";
import { wantedOf } from "../../../../src/cli/commands/plan-options.ts";

const asked = { options: ["15m", "24h"], recommend: "24h" };

test.each([
  ["Enter", "", "24h"],
  ["a number", "1", "15m"],
  ["other text", "an hour", "an hour"],
  ["a number beyond the options", "3", "3"],
  ["the text of an option", "24h", "24h"],
])("A question is answered by %s.", (_, line, answer) => {
  expect(answerOf(asked, line)).toEqual({ answer });
});

test("Enter answers nothing where nothing is recommended, and a number is an answer where there are no options.", () => {
  expect(answerOf({ options: [], recommend: null }, "")).toHaveProperty("again");
  expect(answerOf({ options: [], recommend: null }, "1")).toEqual({ answer: "1" });
  expect(answerOf({ options: [], recommend: null }, "x".repeat(5_000))).toHaveProperty("again");
});

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

test("An edit is told as what became of each file, those that appear and disappear included.", () => {
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

test.each([
  ["nothing", undefined, {}, /say what you want: stint plan/],
  ["a blank goal", "  ", {}, /say what you want/],
  ["inputs that take the goal", undefined, { input: ["a.md", "Add it"] }, /The goal comes before --input/],
  ["a goal and --revise", "Add a login page", { revise: "Split it" }, /--revise takes a plan name/],
  ["blank words of --revise", undefined, { revise: " " }, /say what should change/],
  ["--continue and --revise", undefined, { continue: true, revise: "x" }, /use only one of them/],
  ["--continue and --name", undefined, { continue: true, name: "x" }, /leave --name and --input out/],
  ["--revise and --name", "work", { revise: "x", name: "y" }, /leave --name out/],
  ["--answer without --continue", "Add it", { answer: ["a=b"] }, /use it with --continue/],
  [
    "an answer without a text",
    undefined,
    { continue: true, answer: ["a"] },
    /does not have the form <question>=<text>/,
  ],
  ["an answer without a question", undefined, { continue: true, answer: ["=b"] }, /does not have the form/],
  ["a name that is none", "Add it", { name: "Add It" }, /--name Add It cannot name a plan: use 1 to 64/],
] as const)("`stint plan` cannot tell what is wanted from %s.", (_, typed, options, message) => {
  expect(wantedOf(typed, options)).toMatchObject({
    ok: false,
    failure: { code: 2, message: expect.stringMatching(message) },
  });
});

test("What is wanted is a new plan, another version of one, or to go on.", () => {
  expect(wantedOf(" Add it ", { name: "add-it", input: ["a.md"] })).toEqual({
    ok: true,
    value: { kind: "begin", goal: "Add it", name: "add-it", inputs: ["a.md"] },
  });
  expect(wantedOf("work", { revise: "Split it" })).toMatchObject({
    value: { kind: "revise", words: "Split it", plan: "work" },
  });
  expect(wantedOf(undefined, { continue: true, answer: ["life=15m", "sum=1+1=2"] })).toMatchObject({
    value: {
      kind: "continue",
      answers: new Map([
        ["life", "15m"],
        ["sum", "1+1=2"],
      ]),
    },
  });
});
