import { expect, test } from "vitest";
import { answerOf } from "../../../../src/cli/dialog/ask.ts";

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
