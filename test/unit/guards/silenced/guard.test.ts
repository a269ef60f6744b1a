import { expect, test } from "vitest";
import { guardSilenced } from "../../../../src/guards/silenced/guard.ts";
import { judged, type Edit, type Given } from "../../../rig/contents.ts";

const found = async (edits: Record<string, Edit>, more: Partial<Given> = {}) =>
  (await judged(guardSilenced, { edits, ...more })).map(({ path, why, evidence }) => `${path} ${why}\n${evidence}`);

const wide = "has a new mark that silences linters or type checkers for the whole file. Fix what they report instead.";
const one = "has a new mark that silences what the task asks to fix. Fix it instead.";

test.each([
  ["src/a.js", "/* eslint-disable */", "var a = 1;"],
  ["src/a.js", "/* lint-disable-file no-var */", "var a = 1;"],
  ["src/a.js", "/* oxlint-disable no-console */", "log();"],
  ["src/a.ts", "// @ts-nocheck", "const a = 1;"],
  ["src/a.ts", "// biome-ignore-all lint: old", "const a = 1;"],
  ["a.py", "# flake8: noqa", "import os"],
  ["a.py", "# ruff: noqa: E501", "import os"],
  ["a.py", "# mypy: ignore-errors", "import os"],
  ["a.py", "# pylint: skip-file", "import os"],
  ["src/lib.rs", "#![allow(unused)]", "fn a() {}"],
  ["src/lib.rs", "#![cfg_attr(not(test), allow(dead_code))]", "fn a() {}"],
  ["lib/a.rb", "# rubocop:disable Metrics/MethodLength", "def a; end"],
  ["lib/a.rb", "# typed: ignore", "def a; end"],
  ["A.java", '@SuppressWarnings("all")', "class A {}"],
  ["a.go", "//go:build ignore", "package a"],
  ["a.go", "//lint:file-ignore U1000 old", "package a"],
])("%s: a file that was there may not be silenced as a whole by %s", async (path, mark, code) => {
  expect(await found({ [path]: [`${code}\n`, `${mark}\n${code}\n`] })).toEqual([`${path} ${wide}\n+ 1: ${mark}`]);
});

const lines: readonly (readonly [string, string, string])[] = [
  ["src/a.js", "foo(); // eslint-disable-line no-undef", "foo();"],
  ["src/a.ts", "// @ts-ignore\nfoo();", "foo();"],
  ["src/a.ts", "foo(x as any);", "foo(x);"],
  ["src/a.ts", "function f(x: any) {}", "function f(x) {}"],
  ["a.py", "import os  # noqa: F401", "import os"],
  ["a.py", "x = f()  # type: ignore[arg-type]", "x = f()"],
  ["src/lib.rs", "#[allow(dead_code)]\nfn a() {}", "fn a() {}"],
  ["a.go", "package a\nvar x = f() //nolint:errcheck", "package a\nvar x = f()"],
  ["A.java", 'class A { @SuppressWarnings("unchecked") void a() {} }', "class A { void a() {} }"],
  ["lib/a.rb", "def a; end # rubocop:disable Style/A", "def a; end"],
];

test.each(lines)("%s: one place may not be silenced where the task is about that: %s", async (path, after, before) => {
  const edits: Record<string, Edit> = { [path]: [before, after] };
  const whys = (await judged(guardSilenced, { edits, checks: ["npm run lint"] })).map(({ why }) => why);
  expect(whys).toEqual([one]);
  expect(await found(edits, { text: "---\nchecks: [x]\n---\nThe importer has no type errors." })).toHaveLength(1);
});

test.each(lines)(
  "%s: one place may be silenced where the task is about something else: %s",
  async (path, after, before) => {
    const text = "---\nchecks:\n  - { run: npm run lint, red: false }\n---\nAdd two types of parcels.";
    expect(await found({ [path]: [before, after] }, { text, checks: ["node --test"] })).toEqual([]);
  },
);

test.each<[string, Record<string, Edit>, string?]>([
  ["a generated file that is new", { "src/a.js": [null, "/* eslint-disable */\nvar a;\n"] }],
  ["a mark that was there", { "src/a.js": ["/* eslint-disable */\n", "/* eslint-disable */\nvar a;\n"] }],
  ["a narrower mark", { "src/a.js": ["/* eslint-disable */\n", "/* eslint-disable no-var */\n"] }],
  ["a part that ends again", { "src/a.js": ["f();", "/* eslint-disable no-undef */\nf();\n/* eslint-enable */\n"] }],
  ["a part that ends again in Ruby", { "a.rb": ["f", "# rubocop:disable A/B\nf\n# rubocop:enable A/B\n"] }],
  ["a string that mentions it", { "src/a.js": ["f();", 'f("/* eslint-disable */", "// @ts-nocheck");'] }],
  ["a comment about it", { "src/a.js": ["f();", "// Files with eslint-disable are skipped by this tool.\nf();"] }],
  ["an attribute of the module of tests", { "src/a.rs": ["", "mod tests {\n    #![allow(unused)]\n}\n"] }],
  ["a task that asks for it", { "a.py": ["f()", "# ruff: noqa\nf()"] }, "Put ruff: noqa at the top of a.py."],
  ["a task that asks in words", { "a.rs": ["", "#![allow(dead_code)]\n"] }, "Suppress the warnings of a.rs for now."],
])("%s is honest", async (_, edits, text = "") => {
  expect(await found(edits, { text })).toEqual([]);
});

test("A task that says no to a mark does not ask for it.", async () => {
  const text = "The lint passes without any eslint-disable comment.";
  const edits: Record<string, Edit> = { "src/a.js": ["f();\n", "// eslint-disable-next-line no-undef\nf();\n"] };
  expect(await found(edits, { text })).toEqual([`src/a.js ${one}\n+ 1: // eslint-disable-next-line no-undef`]);
});

test("A mark that moved to another file with its code is honest, and fewer marks are, too.", async () => {
  const marked = "// @ts-ignore\nf();\n";
  const checks = ["tsc --noEmit"];
  expect(await found({ "a.ts": [marked, ""], "b.ts": [null, marked] }, { checks })).toEqual([]);
  expect(await found({ "a.ts": [marked + marked, "// @ts-expect-error old\nf();\n"] }, { checks })).toEqual([]);
});
