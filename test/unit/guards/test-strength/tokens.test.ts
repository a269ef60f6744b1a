import * as fc from "fast-check";
import { expect, test } from "vitest";
import { frequencyOf, shapeOf, share, tokensOf } from "../../../../src/guards/test-strength/tokens.ts";

test("The words of a piece of code are its names, numbers and words of texts, without those of languages and libraries.", () => {
  const text = 'test("adds größe", () => {\n  expect(add(1, 2.50)).toBe(total_3);\n});';
  expect([...tokensOf(text)]).toEqual(["adds", "größe", "add", "1", "2.50", "total_3"]);
});

test("How much is shared counts rare words more than those of many tests, and numbers least.", () => {
  const words = (text: string) => new Set(text.split(" "));
  const often = frequencyOf([words("cart total"), words("cart tax"), words("cart")]);
  expect(often.get("cart")).toBe(3);
  expect(share(words("cart total"), words("cart"), often)).toBeCloseTo(0.25);
  expect(share(words("cart total"), words("total"), often)).toBeCloseTo(0.75);
  expect(share(words("total 7"), words("total"), new Map())).toBeCloseTo(0.8);
  expect(share(new Set(), words("total"), often)).toBe(0);
});

test("Whatever it is about, a test shares all with itself and nothing with what has no word in common.", () => {
  const words = fc.uniqueArray(fc.constantFrom("cart", "tax", "x", "12", "user"), { minLength: 1 });
  fc.assert(
    fc.property(words, (some) => {
      const often = frequencyOf([new Set(some)]);
      expect(share(new Set(some), new Set(some), often)).toBe(1);
      expect(share(new Set(some), new Set(["other"]), often)).toBe(0);
    }),
  );
});

test("The shape of a test is the same under other names and another title, and differs by its values and its order.", () => {
  const written = (title: string, name: string, sum: number) =>
    `test("${title}", () => {\n  const ${name} = make();\n  equal(${name}.total, ${sum});\n});`;
  const shape = shapeOf(written("adds", "cart", 3));
  expect(shapeOf(written("sums up", "basket", 3).replaceAll("\n  ", "\n\t\t"))).toBe(shape);
  expect(shapeOf(written("adds", "cart", 4))).not.toBe(shape);
  expect(shapeOf(written("adds", "make", 3))).not.toBe(shape);
});
