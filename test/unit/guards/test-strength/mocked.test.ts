import { expect, test } from "vitest";
import { lossesOf } from "../../../rig/strength.ts";

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

const duration = (head: string) => `import { expect, test, vi } from "vitest";
import { parse } from "../src/duration.ts";
${head}
test("reads", () => {
  expect(parse("1h")).toBe(60);
});
`;

test("A mock of a module that the task names is one of the subject, though the work left it as it was.", async () => {
  const mocked = duration('vi.mock("../src/duration.ts", () => ({ parse: () => 60 }));');
  const edit = { "test/duration.test.ts": [duration(""), mocked] } as const;
  expect(await lossesOf(edit, "", ["src/duration.ts"])).toEqual([
    "test/duration.test.ts was changed, but it mocks everything it tests: ../src/duration.ts",
  ]);
  const other = duration('vi.mock("../src/clock.ts", () => ({ now: () => 60 }));');
  const honest = { "test/duration.test.ts": [duration(""), other] } as const;
  expect(await lossesOf(honest, "", ["src/duration.ts", "src/clock.ts"])).toEqual([]);
});
