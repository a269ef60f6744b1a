import { expect, test } from "vitest";
import { foldId, isId } from "../../../src/plan/ids.ts";

test("an id is safe as a file name, a ref and an argument", () => {
  for (const id of ["a", "0", "01-login", "a--b-", "a".repeat(64)]) expect(isId(id)).toBe(true);
  for (const id of ["", "-a", "A", "a_b", "a.b", "a/b", "a b", "a\n", "é", "a".repeat(65)])
    expect(isId(id)).toBe(false);
});

test("names that a reader or a file system cannot tell apart fold to one", () => {
  const alike = ["file", "FILE", "ﬁle", "\uFF46ile"];
  expect(new Set(alike.map(foldId))).toEqual(new Set(["file"]));
  expect(foldId("straße")).toBe(foldId("STRASSE"));
  expect(foldId("a")).not.toBe(foldId("b"));
});
