import assert from "node:assert/strict";
import { test } from "node:test";
import { vat } from "../src/vat.js";

test("VAT of whole cents is exact.", () => {
  assert.equal(vat(1000, 19), 190);
});

test("Half a cent of VAT is rounded up.", () => {
  assert.equal(vat(50, 19), 10);
});
