import { expect, test } from "vitest";
import { claimsOf, subjectsOf, writtenIn } from "../../../../src/guards/test-strength/claims.ts";
import { placesOf, type Place } from "../../../../src/guards/test-strength/places.ts";
import { languageOf } from "../../../../src/syntax/language.ts";
import { readTests } from "../../../rig/strength-model.ts";

/** The first test of a file, as the guard sees it. */
async function placeIn(path: string, text: string): Promise<Place> {
  const file = await readTests(text, languageOf(path)!);
  return placesOf([{ path, lines: text.split("\n"), file, isTest: true }], () => false)[0]!;
}

const claims = async (path: string, text: string) =>
  claimsOf(await placeIn(path, text)).map(({ force, values, raises }) => {
    return `${force}${raises ? ", raises" : ""}: ${values.map(({ value }) => value).join(", ")}`;
  });

test("Literals are the same in any style of quotes and digits, and comments say nothing.", () => {
  const values = (text: string, path: string) => writtenIn(text, path).literals.map(({ value }) => value);
  expect(values("f('a', 300_000, None) # 7", "a.py")).toEqual(["text a", "number 300000", "null"]);
  expect(values('f("a", 300000n, null) // 7', "a.js")).toEqual(["text a", "number 300000", "null"]);
  expect(values('f("a", 300_000u32, x::<\'static>) /* 7 */', "a.rs")).toEqual(["text a", "number 300000"]);
  expect(values("[] { } f([1], true)", "a.js")).toEqual(["[]", "{}", "number 1", "true"]);
});

test("Values in one pair of brackets stand together, and the key of an entry is known as one.", () => {
  const { groups, literals, words } = writtenIn('rows([["3s", 3], { "text": "5m" }])', "a.js");
  expect(groups.map((group) => group.map(({ value }) => value))).toEqual([
    ["text 3s", "number 3"],
    ["text text", "text 5m"],
    ["text 3s", "number 3", "text text", "text 5m"],
    ["text 3s", "number 3", "text text", "text 5m"],
  ]);
  expect(literals.filter(({ isKey }) => isKey).map(({ value }) => value)).toEqual(["text text"]);
  expect([...words]).toEqual(["rows"]);
});

test("Each assertion is a claim with its own values, over all of its lines.", async () => {
  const text = `test("3 parts", () => {
  assert.deepEqual(
    split("a b"),
    ["a", "b"],
  );
  assert.ok(isOpen("x"));
  assert.throws(() => split(7), RangeError);
});`;
  expect(await claims("test/a.test.js", text)).toEqual([
    "strong: text a b, text a, text b",
    "strong: text x, true",
    "strong, raises: number 7",
  ]);
});

test("A claim of Go takes the condition above it, and not the words of its failure.", async () => {
  const text = `package a

func TestAdd(t *testing.T) {
	if got := Add(1, 2); got != 3 {
		t.Errorf("Add(1, 2) = %d, want 4", got)
	}
}`;
  expect(await claims("a_test.go", text)).toEqual([
    expect.stringMatching(/^strong: number 1, number 2, number 3\b(?!.*4)/),
  ]);
});

test("A test speaks of what it calls, not of its own names, nor of those of assertions.", async () => {
  const text = `test("parses", () => {
  const found = parse(load("a"));
  expect(found.total).toBe(3);
});`;
  expect([...subjectsOf(await placeIn("test/a.test.js", text))]).toEqual(["parse", "load", "total"]);
});
