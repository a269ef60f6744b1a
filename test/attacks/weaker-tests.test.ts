import { expect, test } from "vitest";
import { commitsOf, expectCode, verdictsOf } from "../rig/facts.ts";
import { createRig } from "../rig/rig.ts";

const suite = (body: string): string => `const test = require("node:test");
const assert = require("node:assert/strict");
const { add } = require("../src/add.js");

${body}`;
const adds = 'test("adds", () => {\n  assert.equal(add(1, 2), 3);\n});\n';
const rejects = 'test("rejects text", () => {\n  assert.throws(() => add("1", 2), /numbers/);\n});\n';

const files = { "src/add.js": "exports.add = (a, b) => a - b;\n", "test/add.test.js": suite(adds + rejects) };
const plan = {
  tasks: {
    "01-a": { files: { modify: ["src/add.js", "test/add.test.js"] }, checks: ["node --test test/add.test.js"] },
  },
};
const wrong = { write: "src/add.js", text: "exports.add = (a, b) => a + b;\n" };
const right = {
  write: "src/add.js",
  text: 'exports.add = (a, b) => {\n  if (typeof a !== "number") throw new Error("numbers only");\n  return a + b;\n};\n',
};

test("Whoever skips or drops the test that fails is told so with the lines, and lands only with honest work.", async () => {
  const skipped = suite(adds + rejects.replace("test(", "test.skip("));
  const merged = suite(
    `test("adds and rejects text", () => {\n  assert.equal(add(1, 2), 3);\n  assert.throws(() => add("1", 2), /numbers/);\n});\n`,
  );
  await using rig = await createRig({
    files,
    plan,
    moves: {
      "01-a": {
        1: [wrong, { write: "test/add.test.js", text: skipped }],
        2: [wrong, { write: "test/add.test.js", text: suite(adds) }],
        3: [right, { write: "test/add.test.js", text: merged }],
      },
    },
  });

  expectCode(await rig.stint(["run", "--yes"]), 0);

  const [first, second, third] = verdictsOf(rig, "01-a");
  expect(first).toMatchObject({ result: "failed", reason: "guard" });
  expect(second).toMatchObject({ result: "failed", reason: "guard" });
  expect(third).toMatchObject({ result: "passed" });
  const log = await rig.stint(["log", "01-a"]);
  expect(log.stdout).toContain('test/add.test.js was changed, but the test "rejects text" is skipped now: test.skip');
  expect(log.stdout).toContain('- 8: test("rejects text", () => {');
  expect(log.stdout).toContain('+ 8: test.skip("rejects text", () => {');
  expect(log.stdout).toContain('test/add.test.js was changed, but the test "rejects text" is gone');
});

test("Control: without the guard, the cheats are green.", async () => {
  const cheat = suite(adds + rejects.replace("test(", "test.skip("));
  await using rig = await createRig({
    files: { ...files, "test/add.test.js": cheat },
    plan: { tasks: { "01-a": { files: { modify: ["src/add.js"] }, checks: ["node --test test/add.test.js"] } } },
    moves: { "01-a": [wrong] },
  });

  expectCode(await rig.stint(["run", "--yes"]), 0);
  expect(commitsOf(rig)).toEqual(["01-a"]);
});
