import { expect, test } from "vitest";
import { judgeEdit, lossesOf } from "../../../rig/strength.ts";

const none = "none of its tests asserts anything that can fail";

test("A new test file whose tests cannot fail is a loss.", async () => {
  const hollow = 'test("adds", () => {\n  add(1, 2);\n});\ntest("is there", () => {\n  expect(true).toBe(true);\n});\n';
  expect(await judgeEdit({ "test/add.test.js": [null, hollow] })).toEqual([
    {
      guard: "tests",
      path: "test/add.test.js",
      why: `was created, but ${none}. Write tests that run and can fail.`,
      evidence: '+ 1: test("adds", () => {\n+ 4: test("is there", () => {',
    },
  ]);
  const muted = 'test("adds", () => {\n  return;\n  expect(add(1, 2)).toBe(3);\n});\n';
  expect(await lossesOf({ "test/add.test.js": [null, muted] })).toEqual([`test/add.test.js was created, but ${none}`]);
});

test("A new test file that only talks is a loss; a helper among tests is none.", async () => {
  expect(await lossesOf({ "test/add.test.js": [null, 'console.log("all tests passed");\n'] })).toEqual([
    "test/add.test.js was created, but it contains no test",
  ]);
  expect(await lossesOf({ "test/helpers/talk.js": [null, 'console.log("all tests passed");\n'] })).toEqual([]);
});

test("A new test file that leaves the asserting to a helper beside it passes.", async () => {
  const file = 'import { checkSum } from "./check-sum.js";\ntest("adds", () => {\n  checkSum(add(1, 2), 3);\n});\n';
  expect(await lossesOf({ "test/add.test.js": [null, file] })).toEqual([]);
});
