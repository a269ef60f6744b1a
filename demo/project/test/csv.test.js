import assert from "node:assert/strict";
import { test } from "node:test";
import { toCsv } from "../src/csv.js";

test("One line per item, with amounts as people write them.", () => {
  assert.equal(toCsv([{ name: "Bolt", quantity: 2, price: 5 }]), "name,quantity,price\nBolt,2,0.05\n");
});

test("Commas and quotes in names are quoted.", () => {
  assert.match(toCsv([{ name: 'Nut, 4"', quantity: 1, price: 100 }]), /^"Nut, 4""",1,1\.00$/m);
});
