import { expect, test } from "vitest";
import { collect, more, positiveNumber, wholeNumberTo } from "../../../../src/cli/program/declare.ts";

test("options that are given several times are kept in order", () => {
  expect(collect("b", collect("a"))).toEqual(["a", "b"]);
});

test.each(["0", "-1", "1.5", "1e3", " 1", "", "10000", "99999999999999999999"])(
  "%j is no whole number from 1 to 9999",
  (text) => {
    expect(() => wholeNumberTo(9_999)(text)).toThrow("It must be a whole number from 1 to 9999.");
  },
);

test.each(["0", "-1", "x", "Infinity", "NaN", ""])("%j is no number above 0", (text) => {
  expect(() => positiveNumber(text)).toThrow("It must be a number above 0.");
});

test("numbers within the bounds are numbers", () => {
  expect([wholeNumberTo(9_999)("1"), wholeNumberTo(9_999)("9999"), positiveNumber("0.5")]).toEqual([1, 9_999, 0.5]);
});

test("exit codes and examples are in columns, with the further lines of a text below its first", () => {
  expect(more({ codes: { 0: "done", 130: "interrupted;\nresume it" }, examples: { "stint x": "why" } })).toBe(
    [
      "",
      "Exit codes:",
      "  0    done",
      "  130  interrupted;",
      "       resume it",
      "",
      "Examples:",
      "  stint x  why",
    ].join("\n"),
  );
});
