import { expect, test } from "vitest";
import { added, grouped, placesOf, type FileSide } from "../../../../src/guards/test-strength/places.ts";
import { readTests } from "../../../rig/strength-model.ts";

async function side(path: string, text: string, isTest = true): Promise<FileSide> {
  return { path, lines: text.split("\n"), file: await readTests(text, "javascript"), isTest };
}

/** Each test with its assertions, in words: the specific ones of all, in one row and in all rows. */
const weights = (sides: readonly FileSide[], isNew: (line: string) => boolean = () => false) =>
  placesOf(sides, isNew)
    .filter(({ isOutside, weight }) => !isOutside || weight.total > 0)
    .map(({ test, isOutside, once, weight }) => {
      const rows = [once, weight].map(({ strong, total }) => `${strong}/${total}`);
      return `${isOutside ? "outside " : ""}${test.name}: ${rows.join(", ")}`;
    });

test("A test weighs what it asserts itself and through helpers, row by row.", async () => {
  const text = `function check(user) {
  assert.equal(user.id, 1);
  assert.ok(user.name);
}
test.each([1, 2, 3])("loads", (id) => {
  check(load(id));
  assert.equal(size(), 2);
});
test("idles", () => {
  assert.ok(true);
});`;
  expect(weights([await side("a.test.js", text)])).toEqual(["loads: 2/3, 6/9", "idles: 0/0, 0/0"]);
});

test("A helper of another changed test file counts, one of a source does not, and one that says what it does counts as one.", async () => {
  const calls = 'test("loads", () => {\n  isUser(load());\n});\ntest("saves", () => {\n  expectSaved(save());\n});';
  const helper = "export function isUser(user) {\n  assert.equal(user.id, 1);\n  assert.equal(user.name, 2);\n}";
  const tests = await side("a.test.js", calls);
  expect(weights([tests, await side("helpers.js", helper)])).toEqual(
    expect.arrayContaining(["loads: 2/2, 2/2", "saves: 1/1, 1/1"]),
  );
  expect(weights([tests, await side("src/user.js", helper, false)])).toContain("loads: 0/0, 0/0");
});

test("Helpers that call each other end, and what no test calls is weighed by itself.", async () => {
  const loop = "function a() {\n  b();\n  assert.equal(x, 1);\n}\nfunction b() {\n  a();\n}\n";
  expect(weights([await side("a.test.js", `${loop}test("ends", () => a());`)])).toEqual(["ends: 1/1, 1/1"]);
  const script = "assert.equal(add(1, 2), 3);\nexport function isSum(x) {\n  assert.equal(x, 3);\n}";
  expect(weights([await side("a.test.js", script)])).toEqual(["outside : 1/1, 1/1", "outside isSum: 1/1, 1/1"]);
});

test("A new line counts with all that it compares at once, an old one as one.", async () => {
  const text = 'test("loads", () => {\n  assert.deepEqual(load(), { id: 1, tags: ["a", "b"] });\n});';
  expect(weights([await side("a.test.js", text)])).toEqual(["loads: 1/1, 1/1"]);
  expect(weights([await side("a.test.js", text)], () => true)).toEqual(["loads: 3/3, 3/3"]);
});

test("Weights are summed up, and items with one key stay in their order.", () => {
  const one = { strong: 1, total: 2 };
  expect(added([one, one])).toEqual({ strong: 2, total: 4 });
  expect(added([])).toEqual({ strong: 0, total: 0 });
  expect([...grouped(["ab", "c", "ad"], ([first = ""]) => first)]).toEqual([
    ["a", ["ab", "ad"]],
    ["c", ["c"]],
  ]);
});
