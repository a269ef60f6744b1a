import { expect, test } from "vitest";
import { namesFile, whyItDecides } from "../../../src/checks/check-words.ts";
import type { Check, TaskFiles } from "../../../src/plan/types.ts";

const at = { line: 1, column: 1 };
const runs = (run: string, cwd = "."): Check => {
  return { kind: "run", run, cwd, timeoutMs: 1000, env: {}, network: false, red: true, at };
};
const none: TaskFiles = { create: [], modify: [], delete: [], touch: [] };
const why = (path: string, check: Check, { files = none, setup = "" } = {}) =>
  whyItDecides(path, { files, checks: [check], setup });

test.each([
  ["scripts/check.mjs", runs("node scripts/check.mjs --all")],
  ["expected/a.txt", runs("./tool | diff - 'expected/a.txt'")],
  ["expected/deep/a.txt", runs("diff -r out expected/")],
  ["web/expected.txt", runs("cmp out.txt expected.txt", "web")],
  ["tools/words.py", runs("python3 -m tools.words")],
  ["data/b.csv", runs("wc -l data/*.csv")],
  ["README.md", { kind: "contains", path: "README.md", text: "x", red: true, at }],
] as const)("%s decides what a check finds that names it.", (path, check) => {
  expect(why(path, check)).toBe("a check names it");
});

test("What defines commands decides what a check runs, and set-up may name a file as well.", () => {
  expect(why("Makefile", runs("true"))).toBe("it can decide what a check runs");
  expect(why("scripts/setup.sh", runs("true"), { setup: "sh scripts/setup.sh" })).toBe("set-up names it");
});

test.each([
  ["src/a.ts", runs("npm test")],
  ["src/check.ts", runs("node --check")],
  ["expected/a.txt", runs("cmp out.txt expected.txt")],
  ["src/a.ts", { kind: "judge", question: "Is src/a.ts short?", red: false, at }],
] as const)("%s does not decide what a check finds that does not name it.", (path, check) => {
  expect(why(path, check)).toBeUndefined();
});

test("A folder that the task works in is not one of checks alone.", () => {
  const files = { ...none, modify: ["lib/a.ts"] };
  expect(why("lib/b.ts", runs("eslint lib"), { files })).toBeUndefined();
  expect(why("lib/b.ts", runs("eslint lib"))).toBe("a check names it");
});

test("A check names a file by its path, or by its path without the ending, and no other.", () => {
  expect(namesFile(runs("node --test test/cart.test.js"), "test/cart.test.js")).toBe(true);
  expect(namesFile(runs("python3 -m unittest tests.test_cart"), "tests/test_cart.py")).toBe(true);
  expect(namesFile(runs("node --test test/"), "test/cart.test.js")).toBe(false);
});
