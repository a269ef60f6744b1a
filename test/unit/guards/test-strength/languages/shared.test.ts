import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { Language } from "../../../../../src/syntax/language.ts";
import { readTests } from "../../../../rig/strength-model.ts";

const deep = 3_000;
const nested = (open: string, inside: string, close: string) => open.repeat(deep) + inside + close.repeat(deep);

const languages: readonly [Language, string, string][] = [
  ["python", "cart.py", `def test_a():\n    assert ${nested("(", "x", ")")}\n    x${".a()".repeat(deep)}\n`],
  ["go", "cart.go", `package a\nfunc TestA(t *testing.T) {${nested("if a != b {", "t.Fatal()", "}")}}\n`],
  [
    "rust",
    "cart.rs",
    `#[test]\nfn a() { assert!(${nested("(", "x", ")")}); ${nested("if x {", "assert!(y);", "}")} }\n`,
  ],
  ["java", "cart.java", `class A { @Test void a() { assertThat(x)${".isEqualTo(1)".repeat(deep)}; } }\n`],
  ["ruby", "cart.rb", `class A < B\ndef test_a\n${nested("if x\n", "assert_equal 1, a\n", "end\n")}end\nend\n`],
];

test.each(languages)("The reader of %s neither recurses nor gives up on deep nesting.", async (language, _, text) => {
  expect((await readTests(text, language)).tests).toHaveLength(1);
});

test.each(languages)("The reader of %s reads whatever is left of a broken file.", async (language, fixture) => {
  const whole = readFileSync(`test/fixtures/strength/${fixture}`, "utf8");
  const marks = "({[\"'#@)]}";
  for (let at = 0; at < whole.length; at += 397) {
    const mark = marks[at % marks.length] ?? "";
    await readTests(whole.slice(0, at), language);
    await readTests(whole.slice(0, at) + mark + whole.slice(at + (at % 40)), language);
  }
});
