import { expect, test } from "vitest";
import { judgeEdit, lossesOf } from "../../../rig/strength.ts";
import { adds, becomes, before, file, head, rejects } from "../../../rig/strength-add.ts";

test("A test that is gone is a loss, and its lines are the evidence.", async () => {
  expect(await judgeEdit({ "test/add.test.js": [before, head + adds] })).toEqual([
    {
      guard: "tests",
      path: "test/add.test.js",
      why: 'was changed, but the test "rejects text" is gone. Make its tests demand at least what they demanded before.',
      evidence: '- 8: test("rejects text", () => {\n- 9:   assert.throws(() => add("1", 2), /numbers/);\n- 10: });',
    },
  ]);
});

test("Several tests that are gone are one loss of their file.", async () => {
  expect(await becomes(head)).toEqual([`${file} 2 tests are gone: "adds", "rejects text"`]);
});

test("A test in a comment is gone, and so is one that a parser cannot find any more.", async () => {
  const gone = `${file} the test "rejects text" is gone`;
  expect(await becomes(head + adds + rejects.replaceAll(/^/gm, "// "))).toEqual([gone]);
  expect(await becomes(`${head}${adds}/*\n${rejects}*/\n`)).toEqual([gone]);
  expect(await becomes(head + adds + rejects.replace('test("rejects text", () => {', "test(((("))).toEqual([gone]);
});

test("New tests about something else do not stand for one that is gone.", async () => {
  const others = `test("sums a list", () => {
  assert.equal(sum([1, 2, 3]), 6);
  assert.equal(sum([]), 0);
});
`;
  expect(await becomes(head + adds + others)).toEqual([`${file} the test "rejects text" is gone`]);
});

test.each([
  ["test.only(", "test.only"],
  ["fit(", "fit"],
  ["it.only(", "it.only"],
])("A test that begins with %s keeps others from running, whether old or new.", async (start, how) => {
  expect(await becomes(head + adds.replace("test(", start) + rejects)).toEqual([
    `${file} the test "adds" keeps others from running: ${how}`,
  ]);
  const fresh = `${start}"starts at zero", () => {\n  assert.equal(add(), 0);\n});\n`;
  expect(await becomes(before + fresh)).toEqual([
    `${file} the new test "starts at zero" keeps others from running: ${how}`,
  ]);
});

test("A new test that is skipped is a loss where it is the only new one.", async () => {
  const fresh = 'test.skip("starts at zero", () => {\n  assert.equal(add(), 0);\n});\n';
  expect(await becomes(before + fresh)).toEqual([`${file} the new test "starts at zero" is skipped: test.skip`]);
});

test("A test that asserts less is a loss, and the lines show how.", async () => {
  const after = before.replace("  assert.equal(add(-1, 1), 0);\n", "");
  expect(await judgeEdit({ "test/add.test.js": [before, after] })).toEqual([
    {
      guard: "tests",
      path: "test/add.test.js",
      why: 'was changed, but the test "adds" asserts less: 1 of 2 assertions left. Make its tests demand at least what they demanded before.',
      evidence: "- 6:   assert.equal(add(-1, 1), 0);",
    },
  ]);
});

test("New tests about something else do not make up for assertions that are gone.", async () => {
  const after = before.replace("  assert.equal(add(-1, 1), 0);\n", "");
  const fresh = 'test("sums a list", () => {\n  assert.equal(sum([4]), 4);\n  assert.equal(sum([]), 7);\n});\n';
  expect(await becomes(after + fresh)).toEqual([`${file} the test "adds" asserts less: 1 of 2 assertions left`]);
});

test("A test without its assertions asserts nothing.", async () => {
  const after = before.replace('assert.throws(() => add("1", 2), /numbers/);', "add(1, 2);");
  expect(await becomes(after)).toEqual([`${file} the test "rejects text" no longer asserts anything`]);
});

test("A table with fewer rows tests less.", async () => {
  const table = (rows: string) =>
    `test.each([${rows}])("adds %i", (a, b, sum) => {\n  expect(add(a, b)).toBe(sum);\n});\n`;
  const all = table("[1, 2, 3], [0, 0, 0], [-1, 1, 0]");
  expect(await becomes(table("[1, 2, 3]"), all)).toEqual([
    `${file} the test "adds %i" asserts less: 1 of 3 assertions left`,
  ]);
  expect(await becomes(table(""), all)).toEqual([`${file} the test "adds %i" no longer asserts anything`]);
  expect(await becomes(all.replace("expect(add(a, b)).toBe(sum);", "add(a, b);"), all)).toEqual([
    `${file} the test "adds %i" no longer asserts anything`,
  ]);
});

test("More rows do not make up for an assertion in each of them.", async () => {
  const table = (rows: string, body: string) => `test.each([${rows}])("adds %i", (a, b, sum) => {\n${body}});\n`;
  const one = "  expect(add(a, b)).toBe(sum);\n";
  const both = `${one}  expect(add(b, a)).toBe(sum);\n`;
  expect(
    await becomes(table("[1, 2, 3], [0, 0, 0], [4, 4, 8], [2, 2, 4]", one), table("[1, 2, 3], [0, 0, 0]", both)),
  ).toEqual([`${file} the test "adds %i" asserts less: 1 of 2 assertions left in each of its cases`]);
});

test("A helper that asserts less weakens every test that calls it, and its lines are the evidence.", async () => {
  const helper = 'function check(sum) {\n  assert.equal(typeof sum, "number");\n  assert.equal(sum, 3);\n}\n';
  const calls = 'test("adds", () => {\n  check(add(1, 2));\n});\n';
  const less = head + helper.replace("  assert.equal(sum, 3);\n", "") + calls;
  expect(await judgeEdit({ "test/add.test.js": [head + helper + calls, less] })).toEqual([
    {
      guard: "tests",
      path: "test/add.test.js",
      why: 'was changed, but the test "adds" asserts less: 1 of 2 assertions left. Make its tests demand at least what they demanded before.',
      evidence: "- 6:   assert.equal(sum, 3);",
    },
  ]);
});

test("A helper that unchanged tests call must not assert less.", async () => {
  const helper = (line: string) =>
    `import assert from "node:assert";\nexport function checkSum(sum) {\n${line}  assert.equal(typeof sum, "number");\n}\n`;
  expect(await lossesOf({ "test/helpers/sum.js": [helper("  assert.equal(sum, 3);\n"), helper("")] })).toEqual([
    "test/helpers/sum.js was changed, but it asserts less in checkSum(): 1 of 2 assertions left",
  ]);
});

test("A plain script that asserts less is a loss, too.", async () => {
  const script = 'const assert = require("assert");\nassert.equal(add(1, 2), 3);\nassert.equal(add(0, 0), 0);\n';
  expect(await becomes(script.replace("assert.equal(add(0, 0), 0);\n", ""), script)).toEqual([
    `${file} it asserts less outside its tests: 1 of 2 assertions left`,
  ]);
});

test("A test that moved to another file must not lose anything on the way.", async () => {
  const edit = {
    "test/add.test.js": [before, head + adds],
    "test/errors.test.js": [null, head + rejects.replace(", /numbers/", "")],
  };
  expect(await lossesOf(edit as never)).toEqual([
    'test/errors.test.js was created, but the test "rejects text" asserts less: 0 of 1 specific assertion left',
  ]);
});

test("A file that was renamed owes all of its tests.", async () => {
  const others = 'test("is zero", () => {\n  assert.equal(add(0, 0), 0);\n});\n';
  const edit = {
    "test/add.test.js": [before + others, null],
    "test/sum.test.js": [null, head + adds + others],
  } as const;
  expect(await lossesOf(edit)).toEqual(['test/add.test.js was deleted, but the test "rejects text" is gone']);
});
