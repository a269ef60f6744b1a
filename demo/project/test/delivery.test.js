import assert from "node:assert/strict";
import { test } from "node:test";
import { code, delivery } from "../src/delivery.js";

test("Delivery costs 4.90.", () => {
  assert.equal(delivery(4999), 490);
});

test("From 50.00 on delivery is free.", () => {
  assert.equal(delivery(5000), 0);
});

test("Delivery has a code.", () => {
  assert.match(code, /^[A-Z]$/);
});
