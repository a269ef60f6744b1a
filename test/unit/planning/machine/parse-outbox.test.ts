import * as fc from "fast-check";
import { expect, test } from "vitest";
import { isId } from "../../../../src/plan/ids.ts";
import { planningLimits } from "../../../../src/planning/limits.ts";
import { findingsFrom, questionsFrom } from "../../../../src/planning/machine/parse-outbox.ts";

test("questions are taken in every form that models write them", () => {
  const whole = { id: "colour", question: "Which?", options: ["red", "blue"], recommend: "blue" };
  expect(questionsFrom([whole])).toEqual({ items: [whole], problems: [] });
  expect(questionsFrom({ questions: [whole] }).items).toEqual([whole]);
  expect(questionsFrom(null)).toEqual({ items: [], problems: [] });
  expect(questionsFrom({ questions: null })).toEqual({ items: [], problems: [] });
  expect(questionsFrom(["Which colour?"]).items).toEqual([
    { id: "which-colour", question: "Which colour?", options: [], recommend: null },
  ]);
  const loose = { id: "The Colour!", text: "Which?", options: [{ label: "red" }, 3, null, "red"], recommended: true };
  expect(questionsFrom([loose]).items).toEqual([
    { id: "the-colour", question: "Which?", options: ["red", "3"], recommend: "true" },
  ]);
});

test("what asks nothing, and what is too much, is a problem and not asked", () => {
  expect(questionsFrom("what now?").problems).toEqual(["questions.json: must be a list of questions"]);
  expect(questionsFrom([{ id: "a" }, { question: " " }]).problems).toEqual([
    "questions.json: entry 1 asks nothing",
    "questions.json: entry 2 asks nothing",
  ]);
  const many = Array.from({ length: planningLimits.planningQuestionsMax + 5 }, (_, at) => ({
    question: `number ${at}?`,
  }));
  const { items, problems } = questionsFrom(many);
  expect(items).toHaveLength(planningLimits.planningQuestionsMax);
  expect(problems).toEqual([
    `questions.json: ${many.length} questions; the first ${planningLimits.planningQuestionsMax} are used`,
  ]);
});

test("whatever JSON is there, each question that is used has an id of its own and bounded texts", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (json) => {
      const { items } = questionsFrom(json);
      const ids = items.map(({ id }) => id);
      expect(ids.every(isId)).toBe(true);
      expect(new Set(ids).size).toBe(ids.length);
      for (const { question, options } of items) {
        expect(question.length).toBeLessThanOrEqual(planningLimits.inquiryCharsMax + 1);
        expect(options.length).toBeLessThanOrEqual(planningLimits.inquiryOptionsMax);
      }
    }),
  );
});

test("findings come the worst first; an unknown severity counts as major; no list is not an empty one", () => {
  const found = findingsFrom([
    { severity: "minor", title: "a", line: 2 },
    { severity: "BLOCKER", title: "b", line: "2" },
    { severity: "Critical", title: "c", why: "w", fix: "f", file: "plan.md" },
    {},
  ]);
  expect(found?.items.map(({ severity, title, line }) => [severity, title, line])).toEqual([
    ["critical", "c", null],
    ["major", "b", null],
    ["minor", "a", 2],
  ]);
  expect(found?.problems).toEqual(["findings.json: entry 4 says nothing"]);
  expect(findingsFrom([])).toEqual({ items: [], problems: [] });
  expect(findingsFrom({ findings: [] })).toEqual({ items: [], problems: [] });
  for (const none of [null, "fine", { praise: true }, 3]) expect(findingsFrom(none)).toBeNull();
});
