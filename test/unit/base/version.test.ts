import { expect, test } from "vitest";
import { isOlder, versionIn } from "../../../src/base/version.ts";

test("a version is found in what a program prints", () => {
  expect(versionIn("git version 2.39.5 (Apple Git-154)")).toBe("2.39.5");
  expect(versionIn("bubblewrap 0.8")).toBe("0.8");
  expect(versionIn("no number, or 7 alone")).toBe(undefined);
});

test.each([
  ["2.9", "2.39", true],
  ["2.39.0", "2.39", false],
  ["2.39", "2.39.1", true],
  ["2", "2.0.1", true],
  ["3.0", "2.39", false],
  ["2.39", "2.39", false],
])("whether %s is older than %s: %s", (version, than, older) => {
  expect(isOlder(version, than)).toBe(older);
});
