import assert from "node:assert/strict";
import { test } from "node:test";
import { dueDate, paymentDays } from "../src/due-date.js";

test("Customers have some days to pay.", () => {
  assert.ok(Number.isInteger(paymentDays) && paymentDays > 0);
});

for (const day of ["2026-02-27", "2026-10-20", "2026-12-31"]) {
  test(`An invoice of ${day} is due that many days later.`, () => {
    assert.equal((Date.parse(dueDate(day)) - Date.parse(day)) / 86_400_000, paymentDays);
    assert.match(dueDate(day), /^\d{4}-\d\d-\d\d$/);
  });
}
