import { expect, test } from "vitest";
import { paintFor, plain } from "../../../src/cli/paint.ts";

const terminal = { isTTY: true };

test("a terminal gets colours, and an empty text gets no codes", () => {
  const paint = paintFor(terminal, { env: {}, argv: ["run"] });
  expect(paint.red("no")).toBe("\u{1b}[31mno\u{1b}[39m");
  expect(paint.red("")).toBe("");
});

test.each([
  ["a pipe", {}, {}, []],
  ["NO_COLOR", terminal, { NO_COLOR: "1" }, []],
  ["TERM=dumb", terminal, { TERM: "dumb" }, []],
  ["--no-color", terminal, {}, ["run", "--no-color"]],
] as const)("there are no colours with %s", (_, stream, env, argv) => {
  expect(paintFor(stream, { env, argv })).toBe(plain);
});

test("an empty NO_COLOR, and --no-color after --, which is part of a goal, change nothing", () => {
  expect(paintFor(terminal, { env: { NO_COLOR: "" }, argv: ["do", "--", "--no-color"] })).not.toBe(plain);
});
