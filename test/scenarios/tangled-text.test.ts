import { expect, test } from "vitest";
import { guardTests } from "../../src/guards/test-strength/guard.ts";
import { guardTestAware } from "../../src/guards/test-aware/guard.ts";
import { judged } from "../rig/contents.ts";

// Its grammar takes two ways at each bracket, and all memory in the end.
const tangle = "a<".repeat(50_000);

test("A source file that parsers choke on is refused, and what comes after it is read.", async () => {
  const edits = {
    "src/Tangle.java": [null, tangle],
    "src/a.js": [null, "if (process.env.VITEST) f();\n"],
  } as const;

  expect(await judged(guardTestAware, { edits })).toMatchObject([
    { path: "src/Tangle.java", why: expect.stringMatching(/^is too tangled to parse/) as string },
    { path: "src/a.js", evidence: "+ 1: if (process.env.VITEST) f();" },
  ]);
});

test("A test that parsers choke on is refused, because nobody can tell whether it became weaker.", async () => {
  const honest = "class ATest { @Test void a() { assertEquals(1, b()); } }\n";

  expect(await judged(guardTests, { edits: { "src/test/java/ATest.java": [honest, tangle] } })).toContainEqual({
    guard: "tests",
    path: "src/test/java/ATest.java",
    why: "was changed, but it is too tangled to compare its tests with what they were. Split it into smaller files.",
  });
});

test.each([
  ["src/a.ts", "x(1);\n"],
  ["src/a.rb", "x(1)\n"],
])("%s of 500 kB is read to its end.", async (path, line) => {
  const sign = path.endsWith(".ts") ? "if (process.env.VITEST) f();\n" : "";
  const text = line.repeat(500_000 / line.length) + sign;

  expect((await judged(guardTestAware, { edits: { [path]: [null, text] } })).length).toBe(sign === "" ? 0 : 1);
});
