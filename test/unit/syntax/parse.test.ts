import { expect, test } from "vitest";
import { withParts, withTree } from "../../../src/syntax/parse.ts";

test("a text is a tree of its language, and what is no code is an error in it", async () => {
  expect(await withTree("const a = 1;", "javascript", (root) => root.toString())).toMatch(/lexical_declaration/);
  expect(await withTree("const = = ;", "javascript", (root) => root.hasError)).toBe(true);
  expect(await withTree("def a(): pass", "python", (root) => root.hasError)).toBe(false);
});

test("patterns find parts by name, down to a depth", async () => {
  const text = "function a() { function b() {} }\nfunction c() {}";
  const named = (depthMax: number) =>
    withParts(
      text,
      { language: "javascript", patterns: "(function_declaration name: (identifier) @name)", depthMax },
      (parts) => parts.map(({ name }) => name?.text),
    );
  expect(await named(64)).toEqual(["a", "b", "c"]);
  expect(await named(1)).toEqual(["a", "c"]);
});

test("a text that takes more steps than code does is given up, and the next one is read", async () => {
  const hostile = "a<b>".repeat(4_000);
  const look = { language: "cpp", patterns: "(identifier) @name", depthMax: 1 } as const;
  expect(await withParts(hostile, look, () => "read")).toBeUndefined();
  expect(await withParts("int a;", look, () => "read")).toBe("read");
});

test("several texts are read at the same time, in several languages", async () => {
  const texts = [
    ["package a", "go"],
    ["fn a() {}", "rust"],
    ["class A {}", "java"],
    ["def a; end", "ruby"],
  ] as const;
  const read = await Promise.all(texts.map(([text, language]) => withTree(text, language, (root) => root.hasError)));
  expect(read).toEqual([false, false, false, false]);
});
