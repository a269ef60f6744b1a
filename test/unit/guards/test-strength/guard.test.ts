import { expect, test } from "vitest";
import { guardTests } from "../../../../src/guards/test-strength/guard.ts";
import { defaultRules } from "../../../../src/plan/rules.ts";
import type { Task } from "../../../../src/plan/types.ts";
import { lossesOf, type Edit } from "../../../rig/strength.ts";

/** Edits of tests as honest tasks make them; none may be refused. */
const honest: Readonly<Record<string, Edit>> = {
  "new expected values": {
    "test/a.test.js": [
      'test("greets", () => {\n  assert.equal(greet("Ann"), "Hello Ann");\n});\n',
      'test("greets", () => {\n  assert.equal(greet("Ann"), "Hi Ann!");\n});\n',
    ],
  },
  "a shorter list that is expected": {
    "test/a.test.js": [
      'test("lists", () => {\n  assert.deepEqual(list(), ["a", "b", "c"]);\n});\n',
      'test("lists", () => {\n  assert.deepEqual(list(), []);\n});\n',
    ],
  },
  "assert becomes expect": {
    "test/a.test.js": [
      `import assert from "node:assert/strict";
test("adds", () => {
  assert.equal(add(1, 2), 3);
  assert.deepEqual(pair(1), [1, 1]);
  assert.ok(add.length === 2);
  assert.ok(names().includes("add"));
  assert.throws(() => add("1"), /numbers/);
  assert.match(describeSum(3), /three/);
  assert.notEqual(add(1, 1), 3);
  assert.ok(add);
});
`,
      `import { expect, test } from "vitest";
test("adds", () => {
  expect(add(1, 2)).toBe(3);
  expect(pair(1)).toEqual([1, 1]);
  expect(add.length).toBe(2);
  expect(names()).toContain("add");
  expect(() => add("1")).toThrow(/numbers/);
  expect(describeSum(3)).toMatch(/three/);
  expect(add(1, 1)).not.toBe(3);
  expect(add).toBeDefined();
});
`,
    ],
  },
  "chai becomes node:assert": {
    "test/a.spec.js": [
      'describe("cart", () => {\n  it("is empty", () => {\n    expect(cart.items).to.have.lengthOf(0);\n    cart.total.should.equal(0);\n    expect(cart.open).to.be.true;\n  });\n});\n',
      'describe("cart", () => {\n  it("is empty", () => {\n    assert.equal(cart.items.length, 0);\n    assert.equal(cart.total, 0);\n    assert.strictEqual(cart.open, true);\n  });\n});\n',
    ],
  },
  "ava becomes node:test": {
    "test/a.test.js": [
      'import test from "ava";\ntest("adds", (t) => {\n  t.is(add(1, 2), 3);\n  t.deepEqual(pair(1), [1, 1]);\n  t.true(isSum(3));\n  t.throws(() => add("1"), { message: /numbers/ });\n});\n',
      'import test from "node:test";\nimport { equal, deepEqual, throws } from "node:assert/strict";\ntest("adds", () => {\n  equal(add(1, 2), 3);\n  deepEqual(pair(1), [1, 1]);\n  equal(isSum(3), true);\n  throws(() => add("1"), /numbers/);\n});\n',
    ],
  },
  "five tests become a table": {
    "test/a.test.js": [
      [1, 2, 3, 4, 5]
        .map((n) => `test("doubles ${n}", () => {\n  expect(double(${n})).toBe(${2 * n});\n});\n`)
        .join(""),
      'test.each([\n  [1, 2],\n  [2, 4],\n  [3, 6],\n  [4, 8],\n  [5, 10],\n])("doubles %i", (n, twice) => {\n  expect(double(n)).toBe(twice);\n});\n',
    ],
  },
  "tests become a loop over a table": {
    "test/a.test.js": [
      'test("doubles one", () => {\n  assert.equal(double(1), 2);\n});\ntest("doubles two", () => {\n  assert.equal(double(2), 4);\n});\n',
      'const cases = [\n  ["one", 1, 2],\n  ["two", 2, 4],\n];\nfor (const [name, n, twice] of cases) {\n  test(`doubles ${name}`, () => {\n    assert.equal(double(n), twice);\n  });\n}\n',
    ],
  },
  "assertions become a loop": {
    "test/a.test.js": [
      'test("doubles", () => {\n  assert.equal(double(1), 2);\n  assert.equal(double(2), 4);\n  assert.equal(double(3), 6);\n});\n',
      'test("doubles", () => {\n  for (const [n, twice] of [[1, 2], [2, 4], [3, 6]]) {\n    assert.equal(double(n), twice);\n  }\n});\n',
    ],
  },
  "a table becomes tests": {
    "test/a.test.js": [
      'test.each([\n  [1, 2],\n  [2, 4],\n])("doubles %i", (n, twice) => {\n  expect(double(n)).toBe(twice);\n});\n',
      'test("doubles one", () => {\n  expect(double(1)).toBe(2);\n});\ntest("doubles two", () => {\n  expect(double(2)).toBe(4);\n});\n',
    ],
  },
  "assertions go into a helper": {
    "test/a.test.js": [
      'test("ann", () => {\n  const user = load("ann");\n  assert.equal(user.id, 1);\n  assert.equal(user.name, "Ann");\n});\ntest("bob", () => {\n  const user = load("bob");\n  assert.equal(user.id, 2);\n  assert.equal(user.name, "Bob");\n});\n',
      'function isUser(user, id, name) {\n  assert.equal(user.id, id);\n  assert.equal(user.name, name);\n}\ntest("ann", () => {\n  isUser(load("ann"), 1, "Ann");\n});\ntest("bob", () => {\n  isUser(load("bob"), 2, "Bob");\n});\n',
    ],
  },
  "assertions go into a helper of another file": {
    "test/a.test.js": [
      'test("ann", () => {\n  const user = load("ann");\n  assert.equal(user.id, 1);\n  assert.equal(user.name, "Ann");\n});\n',
      'import { isUser } from "./helpers/user.js";\ntest("ann", () => {\n  isUser(load("ann"), 1, "Ann");\n});\n',
    ],
    "test/helpers/user.js": [
      null,
      'import assert from "node:assert";\nexport const isUser = (user, id, name) => {\n  assert.equal(user.id, id);\n  assert.equal(user.name, name);\n};\n',
    ],
  },
  "a helper is written out again": {
    "test/a.test.js": [
      'function isUser(user, id) {\n  assert.equal(user.id, id);\n  assert.equal(user.kind, "user");\n}\ntest("ann", () => {\n  isUser(load("ann"), 1);\n});\n',
      'test("ann", () => {\n  const user = load("ann");\n  assert.equal(user.id, 1);\n  assert.equal(user.kind, "user");\n});\n',
    ],
  },
  "many comparisons become one": {
    "test/a.test.js": [
      'test("loads", () => {\n  assert.equal(load().id, 1);\n  assert.equal(load().name, "Ann");\n  assert.equal(load().tags.length, 0);\n});\n',
      'test("loads", () => {\n  assert.deepEqual(load(), { id: 1, name: "Ann", tags: [] });\n});\n',
    ],
  },
  "callbacks become await": {
    "test/a.test.js": [
      'test("loads", (done) => {\n  load("ann", (err, user) => {\n    assert.ifError(err);\n    assert.equal(user.name, "Ann");\n    done();\n  });\n});\n',
      'test("loads", async () => {\n  const user = await load("ann");\n  assert.equal(user.name, "Ann");\n});\n',
    ],
  },
  "try becomes rejects": {
    "test/a.test.js": [
      'test("refuses", async () => {\n  try {\n    await load("nobody");\n    assert.fail("should have thrown");\n  } catch (error) {\n    assert.equal(error.code, "NOBODY");\n  }\n});\n',
      'test("refuses", async () => {\n  await assert.rejects(load("nobody"), { code: "NOBODY" });\n});\n',
    ],
  },
  "then becomes await": {
    "test/a.test.js": [
      'test("loads", () => {\n  return load("ann").then((user) => {\n    expect(user.name).toBe("Ann");\n  });\n});\n',
      'test("loads", async () => {\n  const user = await load("ann");\n  expect(user.name).toBe("Ann");\n});\n',
    ],
  },
  "tests get a suite around them": {
    "test/a.test.js": [
      'test("adds", () => {\n  assert.equal(add(1, 2), 3);\n});\n',
      'describe("add", () => {\n  it("adds", () => {\n    assert.equal(add(1, 2), 3);\n  });\n});\n',
    ],
  },
  "a title that says more": {
    "test/a.test.js": [
      'test("works", () => {\n  assert.equal(add(1, 2), 3);\n});\n',
      'test("adds two positive numbers", () => {\n  assert.equal(add(1, 2), 3);\n});\n',
    ],
  },
  "a test with a new title for a new behaviour": {
    "test/a.test.js": [
      'test("returns null for an unknown id", () => {\n  assert.equal(find("x"), null);\n});\n',
      'test("throws for an unknown id", () => {\n  assert.throws(() => find("x"), /unknown/);\n});\n',
    ],
  },
  "a function with a new name": {
    "test/a.test.js": [
      'test("add", () => {\n  assert.equal(add(1, 2), 3);\n});\n',
      'test("sum", () => {\n  assert.equal(sum(1, 2), 3);\n});\n',
    ],
  },
  "two tests merged": {
    "test/a.test.js": [
      'test("adds small numbers", () => {\n  assert.equal(add(1, 2), 3);\n});\ntest("adds large numbers", () => {\n  assert.equal(add(100, 200), 300);\n});\n',
      'test("adds small and large numbers", () => {\n  assert.equal(add(1, 2), 3);\n  assert.equal(add(100, 200), 300);\n});\n',
    ],
  },
  "a test split in two": {
    "test/a.test.js": [
      'test("adds and subtracts", () => {\n  assert.equal(add(1, 2), 3);\n  assert.equal(subtract(3, 2), 1);\n});\n',
      'test("adds", () => {\n  assert.equal(add(1, 2), 3);\n});\ntest("subtracts", () => {\n  assert.equal(subtract(3, 2), 1);\n});\n',
    ],
  },
  "an assertion moves to a test of its own": {
    "test/a.test.js": [
      'test("adds", () => {\n  assert.equal(add(1, 2), 3);\n  assert.equal(subtract(3, 2), 1);\n});\n',
      'test("adds", () => {\n  assert.equal(add(1, 2), 3);\n});\ntest("subtracts", () => {\n  assert.equal(subtract(3, 2), 1);\n});\n',
    ],
  },
  "a file with a new name": {
    "test/a.test.js": ['test("adds", () => {\n  assert.equal(add(1, 2), 3);\n});\n', null],
    "test/add.test.ts": [null, 'test("adds", (): void => {\n  assert.equal(add(1, 2), 3);\n});\n'],
  },
  "a file deleted as the task says": {
    "test/a.test.js": ['test("adds", () => {\n  assert.equal(add(1, 2), 3);\n});\n', null],
  },
  "a script deleted as the task says": {
    "test/a.test.js": ['require("assert").equal(add(1, 2), 3);\n', null],
  },
  "a note becomes a test": {
    "test/a.test.js": [
      'test.todo("handles zero");\n',
      'test("adds nothing to a number", () => {\n  assert.equal(add(1, 0), 1);\n});\n',
    ],
  },
  "a skipped test runs again": {
    "test/a.test.js": [
      'it.skip("adds", () => {\n  expect(add(1, 2)).toBe(3);\n});\n',
      'it("adds", () => {\n  expect(add(1, 2)).toBe(3);\n});\n',
    ],
  },
  "new tests, one of them for later": {
    "test/a.test.js": [
      'test("adds", () => {\n  assert.equal(add(1, 2), 3);\n});\n',
      'test("adds", () => {\n  assert.equal(add(1, 2), 3);\n});\ntest("adds fractions", () => {\n  assert.equal(add(0.5, 1), 1.5);\n});\ntest.todo("adds texts");\n',
    ],
  },
  "a new test for some systems only": {
    "test/a.test.js": [
      'test("adds", () => {\n  assert.equal(add(1, 2), 3);\n});\n',
      'test("adds", () => {\n  assert.equal(add(1, 2), 3);\n});\nit.skipIf(process.platform === "win32")("follows links", () => {\n  expect(follow("a")).toBe("b");\n});\n',
    ],
  },
  "another table of the same name": {
    "test/a.test.js": [
      'test("doubles", () => {\n  const cases = [1, 2, 3];\n  for (const one of cases) assert.equal(double(one), one * 2);\n});\n',
      'test("doubles", () => {\n  const cases = [1, 2, 3];\n  for (const one of cases) assert.equal(double(one), one * 2);\n});\ntest("halves", () => {\n  const cases = more();\n  for (const one of cases) assert.equal(half(one), one / 2);\n});\n',
    ],
  },
  "more rows, some of them computed": {
    "test/a.test.js": [
      'test.each([1, 2, 3])("doubles %i", (n) => {\n  expect(double(n)).toBe(n * 2);\n});\n',
      'test.each([1, 2, 3, ...[4, 5].map((n) => n * 10)])("doubles %i", (n) => {\n  expect(double(n)).toBe(n * 2);\n});\n',
    ],
  },
  "a suite that other files call": {
    "test/suite.js": [
      null,
      'export function describeStore(open) {\n  test("reads", () => {\n    assert.equal(open().read("a"), 1);\n  });\n}\n',
    ],
  },
  "a guard for the type checker": {
    "test/a.test.ts": [
      'test("parses", () => {\n  expect(parse("1").value).toBe(1);\n});\n',
      'test("parses", () => {\n  const parsed = parse("1");\n  expect(parsed.ok).toBe(true);\n  if (!parsed.ok) return;\n  expect(parsed.value).toBe(1);\n});\n',
    ],
  },
  "mocks of what the subject uses": {
    "src/service.ts": ["export const a = 1;\n", "export const a = 2;\n"],
    "src/store.ts": ["export const b = 1;\n", "export const b = 2;\n"],
    "test/service.test.ts": [
      null,
      'import { load } from "../src/service.ts";\nimport { read } from "../src/store.ts";\nvi.mock("../src/store.ts");\ntest("loads", () => {\n  vi.mocked(read).mockReturnValue(1);\n  expect(load()).toBe(1);\n});\n',
    ],
  },
  "new tests in a style of their own": {
    "test/rule.test.js": [null, 'new RuleTester().run("rule", rule, { valid: ["a"], invalid: [] });\n'],
    "test/api.test.js": [null, 'test("answers", () => request(app).get("/").expect(200));\n'],
    "test/view.test.tsx": [
      null,
      'test("shows", async () => {\n  render(<View name="Ann" />);\n  await screen.findByText("Ann");\n});\n',
    ],
    "test/manual.test.js": [null, 'test("adds", () => {\n  if (add(1, 2) !== 3) throw new Error("wrong sum");\n});\n'],
    "test/property.test.ts": [
      null,
      'test("is commutative", () => {\n  fc.assert(fc.property(fc.integer(), fc.integer(), (a, b) => add(a, b) === add(b, a)));\n});\n',
    ],
    "test/types.test-d.ts": [
      null,
      'test("types", () => {\n  expectTypeOf(add).returns.toEqualTypeOf<number>();\n});\n',
    ],
    "e2e/page.spec.ts": [
      null,
      'test("opens", async ({ page }) => {\n  await page.goto("/");\n  await expect(page.getByRole("heading")).toHaveText("Hello");\n});\n',
    ],
    "test/tap.test.js": [null, 'tap.test("adds", (t) => {\n  t.equal(add(1, 2), 3);\n  t.end();\n});\n'],
    "cypress/page.cy.js": [
      null,
      'it("opens", () => {\n  cy.visit("/");\n  cy.get("h1").should("have.text", "Hello");\n});\n',
    ],
  },
};

test.each(Object.entries(honest))("An honest edit passes: %s", async (_, edit) => {
  expect(await lossesOf(edit)).toEqual([]);
});

test("A test may go with the function that the task removes, and only with that.", async () => {
  const source = "export const add = (a, b) => a + b;\n";
  const legacy = "export const legacyAdd = add;\n";
  const tests = 'test("adds", () => {\n  assert.equal(add(1, 2), 3);\n});\n';
  const old = 'test("still adds the old way", () => {\n  assert.equal(legacyAdd(1, 2), 3);\n});\n';
  const removal = { "src/add.js": [source + legacy, source], "test/add.test.js": [tests + old, tests] } as const;
  const gone = ['test/add.test.js was changed, but the test "still adds the old way" is gone'];
  expect(await lossesOf(removal, "Remove `legacyAdd`; nobody calls it.")).toEqual([]);
  expect(await lossesOf(removal, "Make add faster.")).toEqual(gone);
  expect(
    await lossesOf(
      { ...removal, "src/add.js": [source + legacy, `${source}${legacy}// faster\n`] },
      "Remove `legacyAdd`.",
    ),
  ).toEqual(gone);
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
