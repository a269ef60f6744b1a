import * as fc from "fast-check";
import { expect, test } from "vitest";
import { lossesOf, type Edit } from "../../../rig/strength.ts";

interface Made {
  readonly title: string;
  readonly variable: string;
  readonly sums: readonly number[];
}

const word = fc.constantFrom("adds", "empties", "loads", "refuses", "sorts", "joins");
const name = fc.constantFrom("sum", "cart", "user", "list", "pair", "found");
const made: fc.Arbitrary<Made> = fc.record({
  title: fc.tuple(word, fc.nat(3)).map(([verb, at]) => `${verb} ${at}`),
  variable: name,
  sums: fc.array(fc.nat(9), { minLength: 1, maxLength: 4 }),
});

const written = ({ title, variable, sums }: Made): string => {
  const lines = sums.map((sum, at) => `  assert.equal(${variable}.at(${at}), ${sum});\n`);
  return `test("${title}", () => {\n  const ${variable} = make();\n${lines.join("")}});\n`;
};

const fileOf = (tests: readonly Made[]): string =>
  `import assert from "node:assert";\n${tests.map(written).join("\n")}`;

/** Tests in three files; null where none is left. */
function laidOut(tests: readonly (Made & { readonly at: number })[]): readonly (string | null)[] {
  return [0, 1, 2].map((file) => {
    const inside = tests.filter(({ at }) => at === file);
    return inside.length === 0 ? null : fileOf(inside);
  });
}

const suite = fc.array(fc.tuple(made, fc.nat(2), fc.nat(2)), { minLength: 1, maxLength: 8 });

function edit(before: readonly (string | null)[], after: readonly (string | null)[]): Edit {
  const paths = before.map((text, at) => [`test/${at}.test.js`, [text, after[at] ?? null]] as const);
  return Object.fromEntries(paths.filter(([, [was, is]]) => was !== is));
}

test("However tests are ordered, moved between files and their variables renamed, nothing is lost.", async () => {
  const moves = fc.tuple(suite, fc.infiniteStream(fc.nat()), fc.option(name, { nil: undefined }));
  await fc.assert(
    fc.asyncProperty(moves, async ([tests, luck, renamed]) => {
      const before = laidOut(tests.map(([one, at]) => ({ ...one, at })));
      const shuffled = tests
        .map((one) => ({ one, rank: luck.next().value ?? 0 }))
        .toSorted((a, b) => a.rank - b.rank)
        .map(({ one }) => one);
      const after = laidOut(shuffled.map(([one, , at]) => ({ ...one, at, variable: renamed ?? one.variable })));
      expect(await lossesOf(edit(before, after))).toEqual([]);
    }),
    { numRuns: 25 },
  );
});

test("Whichever test is dropped, it is missed.", async () => {
  const unique = fc.uniqueArray(made, { selector: ({ title }) => title, minLength: 2, maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(unique, fc.nat(), async (tests, at) => {
      const dropped = tests[at % tests.length];
      const after = fileOf(tests.filter((one) => one !== dropped));
      expect(await lossesOf({ "test/a.test.js": [fileOf(tests), after] })).toEqual([
        `test/a.test.js was changed, but the test "${dropped?.title}" is gone`,
      ]);
    }),
    { numRuns: 25 },
  );
});

const sums = 'test("sums", async (t) => {\n  assert.equal(add(1, 2), 3);\n  assert.equal(add(0, 5), 5);\n});\n';
const subtests = (rows: string) =>
  `test("sums", async (t) => {\n  for (const [a, b, sum] of [${rows}]) {
    await t.test(\`adds \${a}\`, () => {\n      assert.equal(add(a, b), sum);\n    });\n  }\n});\n`;

test("New tests inside an old one assert for it, as far as they go.", async () => {
  const becomes = (after: string) => lossesOf({ "test/a.test.js": [sums, after] });
  expect(await becomes(subtests("[1, 2, 3], [0, 5, 5]"))).toEqual([]);
  expect(await becomes(subtests("[1, 2, 3]"))).toEqual([
    'test/a.test.js was changed, but the test "sums" asserts less: 1 of 2 assertions left',
  ]);
});
