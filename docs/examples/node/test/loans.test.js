import assert from "node:assert/strict";
import { test } from "node:test";
import { parseLoans } from "../src/loans.js";

test("loans are read with title, reader and the day they are due", () => {
  const text = '[{ "title": "Emma", "reader": "Ada", "due": "2026-01-30", "note": "torn" }]';
  assert.deepEqual(parseLoans(text), [{ title: "Emma", reader: "Ada", due: "2026-01-30" }]);
});

test("a loan without a day is an error that says which one", () => {
  assert.throws(() => parseLoans('[{ "title": "Emma", "reader": "Ada" }]'), { message: "loan 1 is not complete" });
});
