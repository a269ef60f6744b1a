import { fileURLToPath } from "node:url";
import { median, row, sh, timed } from "./measure.mjs";

const cli = fileURLToPath(new URL("../../dist/cli.js", import.meta.url));
const rounds = 15;

/** `stint --help` against the least a node program can cost. Budget: 2 x `node -e 0` + 30 ms. */
export function startUp() {
  const floor = [];
  const help = [];
  for (let round = 0; round < rounds; round += 1) {
    floor.push(timed(() => sh(process.execPath, ["-e", "0"])));
    help.push(timed(() => sh(process.execPath, [cli, "--help"])));
  }
  console.log("\nStart-up (median of 15)");
  row("node -e 0", median(floor), 1);
  row("stint --help", median(help), median(help) / median(floor));
  const budget = 2 * median(floor) + 30;
  console.log(`budget 2 x floor + 30 ms = ${budget.toFixed(0)} ms: ${median(help) <= budget ? "met" : "MISSED"}`);
}
