import { expect, test } from "vitest";
import { coverOf, difference, type Missing } from "../../../../src/guards/test-strength/cover.ts";
import type { Place, Weight } from "../../../../src/guards/test-strength/places.ts";

const weight = (strong: number, total = strong): Weight => ({ strong, total });
const place = (name: string, words: string, has: Weight, more: object = {}): Place => {
  const test = { name, line: 1, skipped: null, muted: null, ...more };
  return { path: "a", test, isOutside: false, tokens: new Set(words.split(" ")), weight: has } as unknown as Place;
};
const missing = (words: string, has: Weight, isTest = true): Missing => {
  return { ...has, tokens: new Set(words.split(" ")), isTest };
};
const coverBy = (...fresh: Place[]) => coverOf({ pairs: [], gone: [], fresh }, new Map());

test("New assertions about the same cover a loss once, and no second time.", () => {
  const { cover } = coverBy(place("new", "cart total", weight(2)));
  expect(cover(missing("cart total", weight(2)), undefined)).toBe(true);
  expect(cover(missing("cart total", weight(1)), undefined)).toBe(false);
  const weak = coverBy(place("new", "cart total", weight(0, 1)));
  expect(weak.cover(missing("cart total", weight(0, 1)), undefined)).toBe(true);
  expect(weak.cover(missing("cart total", weight(0, 1)), undefined)).toBe(false);
});

test("Several tests may cover a loss together, and what is left of them covers another.", () => {
  const { cover } = coverBy(place("one", "cart total", weight(1)), place("two", "cart total", weight(2)));
  expect(cover(missing("cart total", weight(2)), undefined)).toBe(true);
  expect(cover(missing("cart total", weight(1)), undefined)).toBe(true);
  expect(cover(missing("cart total", weight(1)), undefined)).toBe(false);
});

test.each([
  ["about something else", place("new", "user name", weight(3))],
  ["too weak", place("new", "cart total", weight(0, 3))],
  ["skipped", place("new", "cart total", weight(3), { skipped: "it.skip" })],
  ["muted", place("new", "cart total", weight(3), { muted: "come after a return" })],
])("Assertions that are %s cover nothing.", (_, fresh) => {
  expect(coverBy(fresh).cover(missing("cart total", weight(1)), undefined)).toBe(false);
});

test("Of a test that was there, only what it asserts more than before is to spare, and not for itself.", () => {
  const [was, is] = [place("old", "cart total", weight(1)), place("old", "cart total", weight(2))];
  const { cover } = coverOf({ pairs: [[was, is]], gone: [], fresh: [] }, new Map());
  expect(cover(missing("cart total", weight(1), false), is)).toBe(false);
  expect(cover(missing("cart total", weight(2)), undefined)).toBe(false);
  expect(cover(missing("cart total", weight(1)), undefined)).toBe(true);
});

test("What stands outside tests covers assertions, but no whole test.", () => {
  const outside = { ...place("", "cart total", weight(2)), isOutside: true };
  expect(coverBy(outside).cover(missing("cart total", weight(1)), undefined)).toBe(false);
  expect(coverBy(outside).cover(missing("cart total", weight(1), false), undefined)).toBe(true);
});

test("What already replaces something else is spent.", () => {
  const fresh = place("new", "cart total", weight(2));
  const { cover, spend } = coverBy(fresh);
  spend(fresh, weight(1));
  expect(cover(missing("cart total", weight(2)), undefined)).toBe(false);
  expect(cover(missing("cart total", weight(1)), undefined)).toBe(true);
});

test("A difference of weights is never negative.", () => {
  expect(difference(weight(1, 5), weight(3, 2))).toEqual(weight(0, 3));
});
