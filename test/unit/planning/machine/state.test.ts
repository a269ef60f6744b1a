import { expect, test } from "vitest";
import { answeredQuestions, isGrave, openQuestions } from "../../../../src/planning/machine/state.ts";
import { after, inquiry, session } from "../../../rig/planning-events.ts";

test("questions are open until they are answered, and keep the order in which they were asked", () => {
  const asked = session("interview", 1, { questions: [inquiry("a"), inquiry("b"), inquiry("c")] });
  const given = (id: string) => ({ id, answer: "no", assumed: false });
  const state = after([...asked, { type: "questions-answered", answers: [given("c"), given("a"), given("other")] }]);
  expect(openQuestions(state).map(({ id }) => id)).toEqual(["b"]);
  expect(answeredQuestions(state)).toEqual([
    { ...inquiry("a"), ...given("a") },
    { ...inquiry("c"), ...given("c") },
  ]);
});

test("every finding but a minor one is grave", () => {
  expect((["critical", "major", "minor"] as const).filter((severity) => isGrave({ severity }))).toEqual([
    "critical",
    "major",
  ]);
});
