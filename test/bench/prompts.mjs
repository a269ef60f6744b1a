import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";
import { sh } from "./measure.mjs";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const worker = here("../../.cache/bench/prompts-work.mjs");

/** What one session is sent: bytes of the prompt, which every turn pays for, and of the inbox, which it may read. */
export function prompts() {
  const bundle = { bundle: true, platform: "node", format: "esm", packages: "external", outfile: worker };
  buildSync({ ...bundle, entryPoints: [here("prompts-work.ts")], logLevel: "warning" });
  const { executor, planner } = JSON.parse(sh(process.execPath, [worker]));
  console.log("\nWhat the executor of one and the same task gets, in bytes, by the tasks of its plan");
  table(executor);
  const isFlat = executor.every(({ prompt }) => prompt === executor[0].prompt);
  console.log(`goal, the same prompt: ${isFlat ? "met" : "MISSED"}`);
  console.log("\nWhat the planner of another draft gets, by its inputs, and the tasks and errors of the last draft");
  table(planner);
}

function table(rows) {
  const [few] = rows;
  line("", "prompt", "ratio", "inbox", "ratio");
  for (const { count, prompt, inbox } of rows) {
    line(count, prompt, times(prompt / few.prompt), inbox, times(inbox / few.inbox));
  }
}

function line(...cells) {
  console.log(cells.map((cell) => String(cell).padStart(9)).join(" "));
}

function times(ratio) {
  return `${ratio.toFixed(2)}x`;
}
