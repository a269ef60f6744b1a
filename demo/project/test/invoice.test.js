import assert from "node:assert/strict";
import { test } from "node:test";
import { subtotal } from "../src/invoice.js";

test("The subtotal is the sum of quantity times price.", () => {
  assert.equal(subtotal([{ quantity: 2, price: 150 }, { quantity: 1, price: 99 }]), 399);
});

test("An empty invoice costs nothing.", () => {
  assert.equal(subtotal([]), 0);
});
