import assert from "node:assert/strict";
import { test } from "node:test";
import { code, discounted } from "../src/discount.js";

test("Ten percent off.", () => {
  assert.equal(discounted(2000, 10), 1800);
});

test("Nobody is paid for buying: the least amount is zero.", () => {
  assert.equal(discounted(500, 120), 0);
});

test("Discounts have a code.", () => {
  assert.match(code, /^[A-Z]$/);
});
