import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { test } from "node:test";

test("The README says how an invoice is printed, with an order that is there.", () => {
  const [, order] = /node bin\/invoice\.js ([\w./-]+)/.exec(readFileSync("README.md", "utf8")) ?? [];
  assert.ok(order, "the README does not say: node bin/invoice.js <order file>");
  assert.ok(existsSync(order), `there is no ${order}`);
});
