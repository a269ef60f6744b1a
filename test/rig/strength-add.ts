import { lossesOf } from "./strength.ts";

/** A test file with two tests of `add`, in parts, and what the guard says when it becomes another. */
export const head = `import test from "node:test";
import assert from "node:assert/strict";
import { add } from "../src/add.js";
`;
export const adds = `test("adds", () => {
  assert.equal(add(1, 2), 3);
  assert.equal(add(-1, 1), 0);
});
`;
export const rejects = `test("rejects text", () => {
  assert.throws(() => add("1", 2), /numbers/);
});
`;
export const before = head + adds + rejects;

/** What the guard says when the test file becomes this. */
export const becomes = (after: string, was = before) => lossesOf({ "test/add.test.js": [was, after] });

export const file = "test/add.test.js was changed, but";
