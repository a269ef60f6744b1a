import { expect, test } from "vitest";
import { guardTestAware } from "../../../../src/guards/test-aware/guard.ts";
import { judged } from "../../../rig/contents.ts";
import { foundIn } from "../../../rig/test-aware.ts";

test("The line that asks is the evidence, and the message says what to do.", async () => {
  const text = "export const f = () => 1;\nif (process.env.VITEST) f = () => 42;\n";
  expect(await judged(guardTestAware, { edits: { "src/a.ts": [null, text] } })).toEqual([
    {
      guard: "test-aware",
      path: "src/a.ts",
      why: "checks whether a test is running in its new lines. Make it behave the same in tests and elsewhere.",
      evidence: "+ 2: if (process.env.VITEST) f = () => 42;",
    },
  ]);
});

test("An encoding that hides what code does is refused, and a plain one is not.", async () => {
  expect(await foundIn("a.py", "# coding: unicode_escape\nx = 1")).toEqual([
    "uses an encoding that hides what its code does",
  ]);
  expect(await foundIn("src/f.py", "# -*- coding: latin-1 -*-\nx = 1")).toEqual([]);
});

test.each([
  ["test/a.test.js", "if (process.env.VITEST) x();"],
  ["vitest.config.ts", "export default { test: { env: { VITEST: process.env.VITEST } } };"],
  ["docs/a.md", "Set VITEST."],
])("A file that is no source of the product may know of tests, %s: %s", async (path, text) => {
  expect(await foundIn(path, text)).toEqual([]);
});

test("What was there before is not the attempt's, and a moved line is not new.", async () => {
  const before = "export const a = 1;\nif (process.env.VITEST) x();\n";
  expect(await foundIn("src/a.js", `\n\n${before}export const b = 2;`, before)).toEqual([]);
});

test("A hostile file is read in good time.", async () => {
  const deep = `export const a = ${"f(".repeat(4_000)}process.exit(0)${")".repeat(4_000)};`;
  const wide = `export const a = 1;\n${"process.exit(0);".repeat(4_000)}`;
  expect(await foundIn("src/a.js", deep)).toHaveLength(1);
  expect(await foundIn("src/a.js", wide)).toHaveLength(1);
  expect(await foundIn("src/a.js", `x = ${"`${".repeat(4_000)}`)).toEqual([]);
  expect(await foundIn("src/a.rs", `${"#[cfg(test)]\n".repeat(4_000)}fn a() {}`)).toEqual([]);
});
