import assert from "node:assert/strict";
import { test } from "node:test";
import { formatAmount, parseAmount } from "../src/money.js";

test("An amount survives being printed and read again.", () => {
  for (const text of ["0.00", "0.05", "12.50"]) assert.equal(formatAmount(parseAmount(text)), text);
});

test("Text that is no amount is refused.", () => {
  assert.throws(() => parseAmount("twelve"), /looks like 12\.50/);
});
