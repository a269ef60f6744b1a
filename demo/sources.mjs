// What the scripted agent writes (agent.mjs): the files that the plan asks for, as text.

const discount = (amount) => `/** How discounts are marked on an invoice. */
export const code = "D";

/** The amount in cents less a discount in percent. */
export function discounted(amount, percent) {
  return ${amount};
}
`;

const less = "Math.round((amount * (100 - percent)) / 100)";

const delivery = `/** How delivery is marked on an invoice. */
export const code = "D";

/** What delivery costs, in cents. */
export function delivery(amount) {
  return amount < 5000 ? 490 : 0;
}
`;

const dueDate = `/** What customers have to pay an invoice. */
export const paymentDays = <days>;

/** The last day to pay an invoice of that day. */
export function dueDate(date) {
  return new Date(Date.parse(date) + paymentDays * 86_400_000).toISOString().slice(0, 10);
}
`;

const csv = `import { formatAmount } from "./money.js";

/** Items as comma-separated values with a header. */
export function toCsv(lines) {
  const rows = lines.map(({ name, quantity, price }) => [quoted(name), quantity, formatAmount(price)]);
  return [["name", "quantity", "price"], ...rows].map((row) => \`\${row.join(",")}\\n\`).join("");
}

function quoted(text) {
  return /[",\\n]/.test(text) ? \`"\${text.replaceAll('"', '""')}"\` : text;
}
`;

const command = `import { readFileSync } from "node:fs";
import { toCsv } from "../src/csv.js";
import { delivery } from "../src/delivery.js";
import { discounted } from "../src/discount.js";
import { dueDate } from "../src/due-date.js";
import { subtotal } from "../src/invoice.js";
import { formatAmount } from "../src/money.js";
import { vat } from "../src/vat.js";

const order = JSON.parse(readFileSync(process.argv[2], "utf8"));
const goods = discounted(subtotal(order.lines), order.discount);
const net = goods + delivery(goods);
process.stdout.write(toCsv(order.lines));
console.log(\`Total due: \${formatAmount(net + vat(net, order.rate))}\`);
console.log(\`Please pay by \${dueDate(order.date)}.\`);
`;

const commandTest = `import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";

test("The command prints the lines and the total of an order.", () => {
  const printed = execFileSync(process.execPath, ["bin/invoice.js", "examples/order.json"], { encoding: "utf8" });
  assert.match(printed, /^"Nut, M4",100,0\\.04$/m);
  assert.match(printed, /^Total due: 31\\.52$/m);
});
`;

export const sources = {
  discount: discount(`Math.max(0, ${less})`),
  discountBelowZero: discount(less),
  delivery,
  dueDate,
  csv,
  command,
  commandTest,
};
