import { expect, test } from "vitest";
import { languageOf, mappedLanguageOf } from "../../../src/syntax/language.ts";

test.each([
  ["src/a.ts", "typescript"],
  ["src/a.d.mts", "typescript"],
  ["a/B.TSX", "tsx"],
  ["x.cjs", "javascript"],
  ["x.py", "python"],
  ["Main.java", "java"],
] as const)("%s is %s, to guards and to the map", (path, language) => {
  expect(languageOf(path)).toBe(language);
  expect(mappedLanguageOf(path)).toBe(language);
});

test.each([
  ["include/a.h", "cpp"],
  ["a.c", "cpp"],
  ["a.cs", "c-sharp"],
  ["lib/tasks/a.rake", "ruby"],
  ["typed.pyi", "python"],
] as const)("%s is %s to the map, and unknown to guards", (path, language) => {
  expect(languageOf(path)).toBeUndefined();
  expect(mappedLanguageOf(path)).toBe(language);
});

test.each(["README.md", "ts", ".ts", "a.ts.bak", "dir.ts/file", ""])("%j has no language", (path) => {
  expect(mappedLanguageOf(path)).toBeUndefined();
});
