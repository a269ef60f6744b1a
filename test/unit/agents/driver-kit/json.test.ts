import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  firstLine,
  isRecord,
  shown,
  toCount,
  toRecord,
  toRecords,
  toText,
} from "../../../../src/agents/driver-kit/json.ts";

test("a list and null are no records, and of a list only its records are read", () => {
  expect([{}, [], null, "x"].map(isRecord)).toEqual([true, false, false, false]);
  expect(toRecord([1])).toEqual({});
  expect(toRecords([{ a: 1 }, null, [], "x", { b: 2 }])).toEqual([{ a: 1 }, { b: 2 }]);
  expect(toRecords({ 0: {} })).toEqual([]);
});

test("only a whole number of tokens that can be added up exactly is one", () => {
  expect([0, 7, -1, 1.5, Infinity, NaN, 2 ** 53, "7", null].map(toCount)).toEqual([
    0,
    7,
    ...Array.from({ length: 7 }, () => undefined),
  ]);
});

test("a message is shown by its first line, a value by its text, and an object by its type alone", () => {
  expect(firstLine("one\ntwo")).toBe("one");
  expect(firstLine("x".repeat(1_000))).toHaveLength(300);
  expect([shown("a\nb"), shown(7), shown({ toString: () => "fired" }), shown(null)]).toEqual([
    "a",
    "7",
    "object",
    "object",
  ]);
});

test("nothing that an agent writes makes a reader throw", () => {
  fc.assert(
    fc.property(fc.anything(), (value) => {
      for (const read of [isRecord, toRecord, toRecords, toText, toCount, shown]) read(value);
    }),
  );
});
