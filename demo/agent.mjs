// This is a script, not a model. It plays the executor of the demo so that the demo needs no key and no network.
// Like any agent it gets its prompt on standard input, works in the current folder and leaves a report in its outbox.
// What it does per task is written down below, mistakes included. Whether it makes them again depends on what the
// prompt tells it of the previous attempt: the harness has to notice them and say so.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { sources } from "./sources.mjs";

const { STINT_TASK: task, STINT_ATTEMPT: attempt, STINT_OUTBOX: outbox } = process.env;
const meeting = process.argv[2];
const prompt = readFileSync(0, "utf8");

const work = {
  "01-discount": async () => {
    await meet("02-delivery");
    const wasTold = prompt.includes("the least amount is zero");
    // The honest mistake: the edge case is forgotten until the failing test is in the prompt.
    write("src/discount.js", wasTold ? sources.discount : sources.discountBelowZero);
    return wasTold ? "Discounts stop at zero." : "Discounts work.";
  },
  "02-delivery": async () => {
    const wasTold = prompt.includes("together with the work of 01-discount");
    if (!wasTold) {
      await meet("01-discount");
      // Slower than the other, so that its letter is already taken when this lands.
      await waitFor("01-discount has landed");
    }
    write("src/delivery.js", wasTold ? sources.delivery.replace('"D"', '"S"') : sources.delivery);
    return wasTold ? "Delivery has the code S, because discounts have D." : "Delivery costs 4.90 below 50.00.";
  },
  "03-vat": () => {
    const wasCaught = /protected.{0,20}test\/vat\.test\.js/.test(prompt);
    if (!wasCaught) {
      // The cheat: make the failing test agree with the bug.
      replace("test/vat.test.js", "assert.equal(vat(50, 19), 10)", "assert.equal(vat(50, 19), 9)");
      return "Made all VAT tests pass.";
    }
    replace("src/vat.js", "Math.floor", "Math.round");
    return "VAT is rounded half up, as the test asks.";
  },
  "04-due-date": () => {
    const [, days] = /(\d+) days, as the README says/.exec(prompt) ?? [];
    if (days === undefined) return ask("The plan assumes 30 days to pay, the README says 14. Which is right?");
    write("src/due-date.js", sources.dueDate.replace("<days>", days));
    return `Customers have ${days} days to pay, as you answered.`;
  },
  "05-csv": async () => {
    // The first session never gets far: Stint is killed while it works.
    if (attempt === "1") {
      console.log("(script) working on src/csv.js until Stint is killed");
      await sleep(600_000);
    }
    write("src/csv.js", sources.csv);
    return "Lines can be exported as CSV.";
  },
  "06-command": () => {
    if (attempt === "1") claimLimit(2);
    write("bin/invoice.js", sources.command);
    write("test/command.test.js", sources.commandTest);
    return "One command prints an invoice.";
  },
};

/** Each waits until the other is working: one at a time, neither would ever continue. */
async function meet(other) {
  writeFileSync(join(meeting, `${task} is at work`), "");
  await waitFor(`${other} is at work`);
}

async function waitFor(word) {
  console.log(`(script) waiting until ${word}`);
  for (let tries = 0; !existsSync(join(meeting, word)); tries += 1) {
    if (tries === 12_000) throw new Error(`ten minutes went by before ${word}`);
    await sleep(50);
  }
}

function ask(reason) {
  report({ status: "blocked", reason });
  process.exit(0);
}

/** Ends like an agent whose account has nothing left until then. */
function claimLimit(seconds) {
  const until = new Date(Date.now() + seconds * 1000).toISOString();
  writeFileSync(join(outbox, "limit.json"), JSON.stringify({ until }));
  process.exit(75);
}

function report(words) {
  writeFileSync(join(outbox, "report.json"), JSON.stringify(words));
}

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
report({ status: "done", summary });
console.log(`(script) ${summary}`);
