import { expect, test } from "vitest";
import { absoluteSearchPath } from "../../../src/base/search-path.ts";

test("entries that depend on the current folder are left out, and an empty one means that folder", () => {
  expect(absoluteSearchPath("/usr/bin:.:bin::/bin:")).toBe("/usr/bin:/bin");
});

test("without an absolute entry the system's own folders are searched", () => {
  for (const variable of [undefined, "", ".:bin"])
    expect(absoluteSearchPath(variable)).toBe("/usr/local/bin:/usr/bin:/bin");
});
