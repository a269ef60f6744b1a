// This is a script, not a model. It plays the executor of the demo so that the demo needs no key and no network.
// Like any agent it gets its prompt on standard input, works in the current folder and leaves a report in its outbox.
// What it does per task is written down below, mistakes included. Whether it makes them again depends on what the
// prompt tells it of the previous attempt: the harness has to notice them and say so.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const { STINT_TASK: task, STINT_ATTEMPT: attempt, STINT_OUTBOX: outbox } = process.env;
const meeting = process.argv[2];
const prompt = readFileSync(0, "utf8");

const work = {
  "01-vat": async () => {
    await meet("02-discount");
    const wasCaught = /protected.{0,20}test\/vat\.test\.js/.test(prompt);
    if (!wasCaught) {
      // The cheat: make the red test agree with the bug.
      replace("test/vat.test.js", "assert.equal(vat(50, 19), 10)", "assert.equal(vat(50, 19), 9)");
      return "Made all VAT tests pass.";
    }
    replace("src/vat.js", "Math.floor", "Math.round");
    return "VAT is rounded half up, as the test asks.";
  },
  "02-discount": async () => {
    await meet("01-vat");
    const wasTold = prompt.includes("the least amount is zero");
    // The honest mistake: the edge case is forgotten until the failing test is in the prompt.
    const amount = "Math.round((amount * (100 - percent)) / 100)";
    write("src/discount.js", discountSource(wasTold ? `Math.max(0, ${amount})` : amount));
    return wasTold ? "Discounts stop at zero." : "Discounts work.";
  },
  "03-csv": async () => {
    // The first session never gets far: the driver is killed while it works.
    if (attempt === "1") await sleep(120_000);
    write("src/csv.js", csvSource);
    return "Lines can be exported as CSV.";
  },
  "04-command": () => {
    write("bin/invoice.js", commandSource);
    write("test/command.test.js", commandTest);
    return "One command prints an invoice.";
  },
};

/** Each waits until the other is at work, too: with one lane neither would ever go on. */
async function meet(other) {
  writeFileSync(join(meeting, task), "");
  for (let tries = 0; !existsSync(join(meeting, other)); tries += 1) {
    if (tries === 1200) throw new Error(`nobody worked on ${other} for a minute`);
    await sleep(50);
  }
}

function discountSource(amount) {
  return `/** The amount in cents less a discount in percent. */
export function discounted(amount, percent) {
  return ${amount};
}
`;
}

const csvSource = `import { formatAmount } from "./money.js";

/** Items as comma-separated values with a header. */
export function toCsv(lines) {
  const rows = lines.map(({ name, quantity, price }) => [quoted(name), quantity, formatAmount(price)]);
  return [["name", "quantity", "price"], ...rows].map((row) => \`\${row.join(",")}\\n\`).join("");
}

function quoted(text) {
  return /[",\\n]/.test(text) ? \`"\${text.replaceAll('"', '""')}"\` : text;
}
`;

const commandSource = `import { readFileSync } from "node:fs";
import { toCsv } from "../src/csv.js";
import { discounted } from "../src/discount.js";
import { subtotal } from "../src/invoice.js";
import { formatAmount } from "../src/money.js";
import { vat } from "../src/vat.js";

const order = JSON.parse(readFileSync(process.argv[2], "utf8"));
const net = discounted(subtotal(order.lines), order.discount);
process.stdout.write(toCsv(order.lines));
console.log(\`Total due: \${formatAmount(net + vat(net, order.rate))}\`);
`;

const commandTest = `import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";

test("The command prints the lines and the total of an order.", () => {
  const printed = execFileSync(process.execPath, ["bin/invoice.js", "examples/order.json"], { encoding: "utf8" });
  assert.match(printed, /^"Nut, M4",100,0\\.04$/m);
  assert.match(printed, /^Total due: 25\\.69$/m);
});
`;

function write(file, text) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

function replace(file, from, to) {
  const text = readFileSync(file, "utf8");
  if (!text.includes(from)) throw new Error(`${file} does not contain: ${from}`);
  writeFileSync(file, text.replace(from, to));
}

console.log(`(script) task ${task}, attempt ${attempt}`);
const summary = await work[task]();
writeFileSync(join(outbox, "report.json"), JSON.stringify({ status: "done", summary }));
console.log(`(script) ${summary}`);
