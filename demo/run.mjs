// The demo: public commands of Stint on a small real project in a fresh folder. It needs no network and no key, unless
// a real agent is requested. Usage: node demo/run.mjs [--agent NAME] [--short] [--no-pause] [path of the CLI].
import { existsSync, mkdtempSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { playWithAgent } from "./real-agent.mjs";
import { playScript } from "./scripted.mjs";
import { playShort } from "./short.mjs";
import { Quit } from "./stage.mjs";

const { values, positionals } = parseArgs({
  options: { agent: { type: "string" }, short: { type: "boolean" }, "no-pause": { type: "boolean" } },
  allowPositionals: true,
});
const { agent } = values;
const cli = resolve(positionals[0] ?? process.env.STINT_CLI ?? join(import.meta.dirname, "..", "dist", "cli.js"));
const folder = makeFolder();

// Who reads only the beginning, as in `stint demo | head`, has seen enough: the next command that prints fails.
process.stdout.on("error", () => {});
const isRead = () => new Promise((tell) => process.stdout.write("\n", (failure) => tell(!failure)));

// Ctrl-C also reaches the running commands, which end cleanly; only then does this process end.
let isInterrupted = false;
process.on("SIGINT", () => (isInterrupted = true));

try {
  const play = agent !== undefined ? playWithAgent : values.short ? playShort : playScript;
  process.exitCode = await play({ cli, folder, agent, pauses: !values["no-pause"] });
} catch (error) {
  isInterrupted ||= error instanceof Quit && error.isInterrupt;
  const hasSeenEnough = error instanceof Quit || !(await isRead());
  if (isInterrupted) console.error("\nInterrupted.");
  else if (!hasSeenEnough) console.error(`The demo did not go as expected: ${error.message}`);
  process.exitCode = isInterrupted ? 130 : hasSeenEnough ? 0 : 1;
}
if (existsSync(folder)) {
  const plannings = join(folder, "invoice", ".git", "stint", "plannings");
  const isPlanned = existsSync(plannings) && readdirSync(plannings).length > 0;
  console.log(`
You can look around in ${folder}
  invoice/                        your checkout: ${isPlanned ? "Stint wrote only the plan to it" : "Stint never wrote to it"}
  invoice/plans/invoices/         the plan that was approved`);
  if (isPlanned) console.log("  invoice/.git/stint/plannings/*/ its planning: the journal, prompts and output");
  console.log("  invoice/.git/stint/runs/*/      the journal; prompts, output and verdicts");
  if (existsSync(join(folder, "result"))) console.log("  result/                         the branch stint/invoices");
}

/** Makes the folder of the demo; without one there is nothing to show. */
function makeFolder() {
  try {
    return mkdtempSync(join(tmpdir(), "stint-demo-"));
  } catch (error) {
    console.error(`The demo has no folder: ${error.message}. Create ${tmpdir()}, or set TMPDIR to another folder.`);
    return process.exit(1);
  }
}
