import { expect, test } from "vitest";
import { refusalCode, refused } from "../../../src/project/refusals.ts";

test.each([
  ["no-plan", 2],
  ["left-out", 2],
  ["plan-errors", 2],
  ["settings", 2],
  ["unapproved", 3],
  ["changed", 3],
  ["prerequisite", 3],
  ["aborted", 130],
  ["anything else", 1],
])("a refusal because of %s ends with %i", (reason, code) => {
  expect(refusalCode({ reason, message: "" })).toBe(code);
});

test("the library's refusal has the reason, the message and the exit code, and nothing else of the failure", () => {
  const failure = { reason: "unapproved", message: "approve it", problems: [] };
  expect(refused(failure)).toEqual({
    ok: false,
    failure: { reason: "unapproved", message: "approve it", exitCode: 3 },
  });
});
