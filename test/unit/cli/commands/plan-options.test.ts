import { expect, test } from "vitest";
import { wantedOf } from "../../../../src/cli/commands/plan-options.ts";

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
] as const)("`stint plan` refuses %s and says why.", (_, typed, options, message) => {
  expect(wantedOf(typed, options)).toMatchObject({
    ok: false,
    failure: { exitCode: 2, message: expect.stringMatching(message) },
  });
});

test("`stint plan` starts a plan, revises one, or resumes a planning session.", () => {
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
