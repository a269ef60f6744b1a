import { expect, test } from "vitest";
import { answerOf } from "../../../../src/cli/dialog/ask.ts";

const asked = { options: ["15m", "24h"], recommend: "24h" };

test.each([
  ["Enter", "", "24h"],
  ["a number", "1", "15m"],
  ["other text", "an hour", "an hour"],
  ["a number in quotes that is no option's", '"3"', "3"],
  ["the way back in quotes", '"b"', "b"],
  ["the text of an option", "24h", "24h"],
])("A question is answered by %s.", (_, line, answer) => {
  expect(answerOf(asked, line)).toEqual({ answer });
});

test("Enter answers nothing where nothing is recommended, and a number is an answer where there are no options.", () => {
  expect(answerOf({ options: [], recommend: null }, "")).toHaveProperty("again");
  expect(answerOf({ options: [], recommend: null }, "1")).toEqual({ answer: "1" });
  expect(answerOf({ options: [], recommend: null }, "x".repeat(5_000))).toHaveProperty("again");
});

test("A number that is no option's is asked for again; one that is an option's text is taken.", () => {
  const again = 'Type a number from 1 to 2. If 9 itself is your answer, type "9" in quotes.';
  expect(answerOf(asked, "9")).toEqual({ again });
  expect(answerOf(asked, "0")).toHaveProperty("again");
  expect(answerOf({ options: ["3"], recommend: null }, "2")).toEqual({
    again: 'There is one option: type 1. If 2 itself is your answer, type "2" in quotes.',
  });
  expect(answerOf({ options: ["3", "5"], recommend: null }, "5")).toEqual({ answer: "5" });
});

test("b goes back, except from the first question and where it is an option; Enter then keeps the answer so far.", () => {
  expect(answerOf(asked, "b")).toEqual({ back: true });
  expect(answerOf(asked, "B")).toEqual({ back: true });
  expect(answerOf({ options: ["A", "B"], recommend: null }, "B")).toEqual({ answer: "B" });
  expect(answerOf(asked, "b", true)).toEqual({
    again: 'This is the first question. If b itself is your answer, type "b" in quotes.',
  });
  expect(answerOf({ options: ["a", "b"], recommend: null }, "b")).toEqual({ answer: "b" });
  expect(answerOf({ ...asked, answer: "1h" }, "")).toEqual({ answer: "1h" });
});
