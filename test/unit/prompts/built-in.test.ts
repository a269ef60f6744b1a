import { expect, test } from "vitest";
import { planningVariables } from "../../../src/prompts/built-in-planner.ts";
import { builtInPrompts, judgeVariables, promptNames, variables } from "../../../src/prompts/built-in.ts";
import { templateProblems } from "../../../src/prompts/template.ts";

const used = (text: string): string[] => [...text.matchAll(/\{\{(\w+)\}\}/g)].map((match) => match[1] ?? "");

test.each(promptNames)("the prompt %s has every variable that an override must have, and no unknown one", (name) => {
  const { text, variables: known, required } = builtInPrompts[name];
  expect(templateProblems(name, text, { known: Object.keys(known), required })).toEqual([]);
});

test("every variable that an override may use is used by a built-in prompt, so that none is stale", () => {
  const { executor, task, judge, ...planning } = builtInPrompts;
  const sorted = (names: Iterable<string>): string[] => [...new Set(names)].toSorted();
  expect(sorted([...used(executor.text), ...used(task.text)])).toEqual(sorted(Object.keys(variables)));
  expect(sorted(used(judge.text))).toEqual(sorted(Object.keys(judgeVariables)));
  const ofPlanning = Object.values(planning).flatMap(({ text }) => used(text));
  expect(sorted(ofPlanning)).toEqual(sorted(Object.keys(planningVariables)));
});

test("only a draft must say why another one is needed", () => {
  expect(builtInPrompts["plan-draft"].required).toEqual(["goal", "inbox", "problems"]);
  expect(builtInPrompts["plan-gaps"].required).toEqual(["goal", "inbox"]);
});
