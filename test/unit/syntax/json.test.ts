import * as fc from "fast-check";
import { expect, test } from "vitest";
import { jsonOf, recordOf } from "../../../src/syntax/json.ts";

test("comments and trailing commas are read over, but not within texts", () => {
  const text = '\uFEFF{\n  // one\n  "a": [1, 2,], /* two, */\n  "url": "http://x//y", "b": "/* , ] */",\n}\n';
  expect(jsonOf(text)).toEqual({ a: [1, 2], url: "http://x//y", b: "/* , ] */" });
});

test("any JSON value is read as JSON.parse reads it, also with a comment at its end", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 3 }), (value) => {
      const text = JSON.stringify(value);
      expect(jsonOf(text)).toEqual(JSON.parse(text));
      expect(jsonOf(`${text} // end`)).toEqual(JSON.parse(text));
    }),
    { numRuns: 50 },
  );
});

test.each(["", "{", "{ a: 1 }", "[1,,2]", '{"a": 1} x', '"open'])("%j is no JSON", (text) => {
  expect(jsonOf(text)).toBeUndefined();
});

test("only an object has fields", () => {
  expect(recordOf({ a: 1 })).toEqual({ a: 1 });
  for (const value of [undefined, null, [1], "a", 1]) expect(recordOf(value)).toEqual({});
});
