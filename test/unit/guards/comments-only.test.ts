import { expect, test } from "vitest";
import { guardCommentsOnly } from "../../../src/guards/comments-only.ts";
import { judged, type Edit } from "../../rig/contents.ts";

const found = (edits: Record<string, Edit>, text = "Retry failed uploads.") =>
  judged(guardCommentsOnly, { edits, text });

test("Work that changes comments only is none.", async () => {
  expect(await found({ "a.js": ["f();\n", "// Retries three times.\nf();\n"] })).toEqual([
    {
      guard: "empty",
      path: "a.js",
      why: "was changed, but only in comments and white space, like every other file. Do what the task asks for.",
      evidence: "+ 1: // Retries three times.",
    },
  ]);
});

test.each<[string, string, string]>([
  ["a.js", "f(1,2);", "f(\n  1,\n  2\n); // both"],
  ["a.ts", "const a: A = f();", "/** Done. */\nconst a: A = f();"],
  ["a.py", "def f():\n    return 1", 'def f():\n    """Retries."""\n    # three times\n    return 1'],
  ["a.go", "package a\n\nvar b = 1", "// Package a retries.\npackage a\n\nvar b = 1"],
  ["src/a.rs", "fn a() {}", "/// Retries.\nfn a() {}"],
  ["A.java", "class A {}", "/* Retries. */\nclass A {}"],
  ["a.rb", "def a\n  1\nend", "# [1, MAX].min\ndef a\n  1\nend"],
])("%s: %s", async (path, before, after) => {
  expect(await found({ [path]: [before, after] })).toHaveLength(1);
});

test.each<[string, Record<string, Edit>, string?]>([
  ["a comment beside code", { "a.js": ["f();", "// Retries.\nretry(f);"] }],
  ["a comment and another file", { "a.js": ["f();", "// See b.\nf();"], "b.js": [null, "g();"] }],
  ["a comment and data", { "a.js": ["f();", "// See b.\nf();"], "b.json": ["1", "2"] }],
  ["another string", { "a.js": ['f("a b");', 'f("a  b");'] }],
  ["another block in Python", { "a.py": ["if a:\n    b()\n    c()", "if a:\n    b()\nc()"] }],
  ["a string that is a value", { "a.py": ['x = """a"""', 'x = """b"""'] }],
  ["a comment for the compiler", { "a.go": ["package a", "//go:build linux\n\npackage a"] }],
  ["types in comments", { "a.js": ["f();", "// @ts-check\nf();"] }],
  ["a new file", { "a.js": [null, "// later\n"] }],
  ["what an example prints", { "a_test.go": ["package a", "package a\n// Output: 1"] }],
  ["a task about documentation", { "a.js": ["f();", "/** Calls. */\nf();"] }, "Document f."],
  ["a task about paths", { "a.js": ["f( );", "f();"] }, "All sources are formatted with prettier."],
  ["a file that is only executable now", { "a.py": ["f()", "f()"] }],
])("%s is honest", async (_, edits, text) => {
  expect(await found(edits, text)).toEqual([]);
});
