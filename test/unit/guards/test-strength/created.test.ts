import { expect, test } from "vitest";
import { guardTests } from "../../../../src/guards/test-strength/guard.ts";
import { defaultRules } from "../../../../src/plan/rules.ts";
import type { Task } from "../../../../src/plan/types.ts";
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

const source = ["export const add = () => 0;\n", "export const add = (a, b) => a + b;\n"] as const;
const mocking = (mock: string): string =>
  `import { add } from "../src/add.js";\n${mock}\ntest("adds", () => {\n  expect(add(1, 2)).toBe(3);\n});\n`;

test.each([
  'vi.mock("../src/add.js", () => ({ add: () => 3 }));',
  'jest.mock("../src/add.js");',
  'vi.mock(import("../src/add.js"), () => ({ add: () => 3 }));',
  'vi.mock("../src/add", () => ({ add: () => 3 }));',
  'mock.module("../src/add.js", { namedExports: { add: () => 3 } });',
  'await td.replaceEsm("../src/add.js", { add: () => 3 });',
  'vi.mock("../src/add.js", async (original) => ({ ...(await original()), add: () => 3 }));',
])("A test that mocks the very module under test proves nothing: %s", async (mock) => {
  const target = /"([^"]*)"/.exec(mock)?.[1];
  expect(await lossesOf({ "src/add.js": source, "test/add.test.js": [null, mocking(mock)] })).toEqual([
    `test/add.test.js was created, but it mocks everything it tests: ${target}`,
  ]);
});

test("A mock that was there before, one of another module, and one that keeps the function pass.", async () => {
  const mocked = mocking('jest.mock("../src/add.js");');
  const twice = mocked.replace("toBe(3);", "toBe(3);\n  expect(add(2, 1)).toBe(3);");
  expect(await lossesOf({ "src/add.js": source, "test/add.test.js": [mocked, twice] })).toEqual([]);
  const others = [
    'vi.mock("node:fs");',
    'vi.mock("../src/clock.js");',
    'vi.mock("../src/add.js", async (original) => ({ ...(await original()), log: () => {} }));',
    'vi.mock("../src/add.js", { spy: true });',
  ];
  for (const mock of others) {
    expect(await lossesOf({ "src/add.js": source, "test/add.test.js": [null, mocking(mock)] }), mock).toEqual([]);
  }
});

test("A test file that is too large to be read is refused; large data among tests is not.", async () => {
  const large = (path: string) => ({ path, status: "M", before: null, after: null, tooLarge: true }) as const;
  const changes = [large("test/add.test.js"), large("test/data/words.json"), large("src/words.js")];
  const files = { create: [], modify: [], delete: [], touch: [] };
  const contents = {
    task: { text: "", files } as unknown as Task,
    rules: defaultRules,
    checks: [],
    setup: "",
    changes,
  };
  expect(await guardTests(contents, async () => null)).toEqual([
    {
      guard: "tests",
      path: "test/add.test.js",
      why: "was changed, but it is too large to compare its tests with what they were. Split it into smaller files.",
    },
  ]);
});

test("Files as no person writes them are read in bounded time and depth.", async () => {
  const many = (count: number, text: (at: number) => string): string =>
    Array.from({ length: count }, (_, at) => text(at)).join("");
  const hostile = [
    `test("a", () => { ${"f(".repeat(800)}1${")".repeat(800)}; });`,
    `test("a", () => { assert.ok(${"!".repeat(2_500)}x); });`,
    `test("a", () => { ${"a.then(f).".repeat(300)}c(); expect(x).toBe(1); });`,
    `${"try { ".repeat(400)}expect(x).toBe(1);${" } catch (e) { f(e); }".repeat(400)}`,
    many(400, (at) => `function f${at}() { f${at + 1}(); }\n`) + 'test("a", () => f0());',
    'test("a", () => { '.repeat(150) + "expect(x).toBe(1);" + " });".repeat(150),
    "{[(".repeat(2_500),
  ];
  for (const text of hostile) expect(await lossesOf({ "test/a.test.js": [text, `${text}\n`] })).toEqual([]);
});

test("A file with more tests than can be compared is refused.", async () => {
  const text = 'test("a", f);\n'.repeat(5_001);
  expect(await lossesOf({ "test/a.test.js": [text, `${text}\n`] })).toEqual([
    "test/a.test.js was changed, but it is too large to compare its tests with what they were",
  ]);
});
