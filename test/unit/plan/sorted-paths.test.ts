import * as fc from "fast-check";
import { expect, test } from "vitest";
import { matcher, staticPrefix } from "../../../src/plan/paths.ts";
import { sortedPaths } from "../../../src/plan/sorted-paths.ts";

const name = fc.constantFrom("a", "b", "ab", "a.ts", "[id]", "é", "A");
const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((parts) => parts.join("/"));
const pattern = fc.oneof(path, fc.constantFrom("**", "a/**", "*/a.ts", "a*", "ab/*", "{a,b}/*", "a/[id]/*"));

test("every question has the answer that a look at each path would give", () => {
  fc.assert(
    fc.property(fc.uniqueArray(path, { maxLength: 12 }), path, pattern, (all, prefix, asked) => {
      const paths = sortedPaths(new Set(all));
      // To picomatch `a/**` is also the path `a`; here it is only what lies in the folder.
      const matching = all.filter((one) => one.startsWith(staticPrefix(asked)) && matcher([asked])(one));
      expect(paths.has(prefix)).toBe(all.includes(prefix));
      expect(paths.hasFolder(prefix)).toBe(all.some((one) => one.startsWith(`${prefix}/`)));
      expect([...paths.startingWith(prefix)].toSorted()).toEqual(
        all.filter((one) => one.startsWith(prefix)).toSorted(),
      );
      expect([...paths.matching(asked)].toSorted()).toEqual(matching.toSorted());
      expect(paths.hasMatch(asked)).toBe(matching.length > 0);
    }),
    { numRuns: 500 },
  );
});

test("a name with brackets is looked up as a name", () => {
  const paths = sortedPaths(new Set(["app/[id]/page.tsx"]));
  expect(paths.hasMatch("app/[id]/page.tsx")).toBe(true);
  expect(paths.hasMatch("app/i/page.tsx")).toBe(false);
  expect(paths.hasFolder("app/[id]")).toBe(true);
  expect(paths.hasFolder("app/[i")).toBe(false);
});

test("a set is sorted once for all who ask about it, and each set by itself", () => {
  const paths = new Set(["b", "a"]);
  expect(sortedPaths(paths)).toBe(sortedPaths(paths));
  expect([...sortedPaths(paths).startingWith("")]).toEqual(["a", "b"]);
  expect([...sortedPaths(new Set(["c"])).startingWith("")]).toEqual(["c"]);
});
