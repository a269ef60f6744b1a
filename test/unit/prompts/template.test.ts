import { expect, test } from "vitest";
import { renderTemplate, templateProblems } from "../../../src/prompts/template.ts";

const shape = { known: ["goal", "rules", "task"], required: ["task"] };

function complaints(text: string): string[] {
  return templateProblems("p.md", text, shape).map(({ line, column, severity, message }) =>
    [line, column, severity, message].join(" "),
  );
}

test("values take the places of their names, with or without spaces inside the braces", () => {
  expect(renderTemplate("Do {{task}}, for {{ goal }}.", { task: "this\n", goal: "that" })).toBe("Do this, for that.\n");
});

test("a section whose values are all empty is left out, its neighbours stay", () => {
  const text = "Before.\n\n# Goal\n\n{{goal}}\n\n# Rules\n\nHeed {{rules}} of {{goal}}.\n\n# Task\n\n{{task}}\n";
  expect(renderTemplate(text, { goal: " \n", rules: "", task: "T" })).toBe("Before.\n\n# Task\n\nT\n");
  expect(renderTemplate(text, { goal: "G", rules: "", task: "T" })).toBe(
    "Before.\n\n# Goal\n\nG\n\n# Rules\n\nHeed  of G.\n\n# Task\n\nT\n",
  );
});

test("a section without variables always stays", () => {
  expect(renderTemplate("# Always\n\nThis.\n\n# Sometimes\n\n{{goal}}\n", { goal: "" })).toBe("# Always\n\nThis.\n");
});

test("what was put in is never expanded again, whatever it holds", () => {
  const task = "Say {{rules}}, {{nonsense}}, $& and $1.\n# Not a section\n{{";
  expect(renderTemplate("{{task}} {{rules}}", { task, rules: "R {{task}}" })).toBe(`${task} R {{task}}\n`);
});

test("a comment at the top is for people", () => {
  const text = "<!-- {{nonsense}} -->\n{{task}}\n<!-- stays -->\n";
  expect(complaints(text)).toEqual([]);
  expect(renderTemplate(text, { task: "T" })).toBe("T\n<!-- stays -->\n");
});

test.each<[string, string[]]>([
  ["{{task}}", []],
  ["{{task}}\n\n  {{gaol}}", ['3 3 error unknown variable "gaol"; did you mean "goal"?']],
  ["{{task}} {{constructor}}", ['1 10 error unknown variable "constructor"; known variables: goal, rules, task']],
  ["{{task}}{{}}", ['1 9 error unknown variable ""; known variables: goal, rules, task']],
  [
    "{{#task}}",
    ['1 1 error unknown variable "#task"; did you mean "task"?', "1 1 error the prompt does not contain {{task}}"],
  ],
  ["{{task}}\n{{goal\n}}", ['2 1 error "{{" starts a variable, which must end with }} on the same line']],
  ["<!-- c -->\n{{task}} {{rule}}", ['2 10 error unknown variable "rule"; did you mean "rules"?']],
  ["Work hard.", ["1 1 error the prompt does not contain {{task}}"]],
  ["<!-- {{task}}", ["1 1 error the comment at the top has no -->"]],
  ["{{task}} ${{ matrix.node }}", ['1 11 error unknown variable "matrix.node"; known variables: goal, rules, task']],
])("the template %j is told what to change", (text, expected) => {
  expect(complaints(text)).toEqual(expected);
});
