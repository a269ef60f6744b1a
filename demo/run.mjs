// The demo: public commands of Stint on a small real project in a fresh folder. It needs no network and no key, unless
// a real agent is requested. Usage: node demo/run.mjs [path of the CLI] [agent].
import { existsSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { playWithAgent } from "./real-agent.mjs";
import { playScript } from "./scripted.mjs";

const cli = resolve(process.argv[2] ?? process.env.STINT_CLI ?? join(import.meta.dirname, "..", "dist", "cli.js"));
const agent = process.argv[3];
const folder = mkdtempSync(join(tmpdir(), "stint-demo-"));

// Ctrl-C also reaches the running commands, which end cleanly; only then does this process end.
let isInterrupted = false;
process.on("SIGINT", () => (isInterrupted = true));

try {
  process.exitCode =
    agent === undefined ? await playScript({ cli, folder }) : await playWithAgent({ cli, folder, agent });
} catch (error) {
  console.error(isInterrupted ? "\nInterrupted." : `\nThe demo did not go as expected: ${error.message}`);
  process.exitCode = isInterrupted ? 130 : 1;
}
if (existsSync(folder)) {
  const isPlanned = existsSync(join(folder, "invoice", ".git", "stint", "plannings"));
  console.log(`
You can look around in ${folder}
  invoice/                        your checkout: ${isPlanned ? "Stint wrote only the plan to it" : "Stint never wrote to it"}
  invoice/plans/invoices/         the plan that was approved`);
  if (isPlanned)
    console.log(
      "  invoice/.git/stint/plannings/*/ its planning session: the journal, and each agent's prompt and output",
    );
  console.log("  invoice/.git/stint/runs/*/      the journal, and each attempt's prompt, output and verdict");
  if (existsSync(join(folder, "result"))) console.log("  result/                         the branch stint/invoices");
}
