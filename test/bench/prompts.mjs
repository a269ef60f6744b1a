import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";
import { sh } from "./measure.mjs";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const worker = here("../../.cache/bench/prompts-work.mjs");

/** What one executor is sent: bytes of the prompt, which every turn pays for, and of the inbox, which it may read. */
export function prompts() {
  const bundle = { bundle: true, platform: "node", format: "esm", packages: "external", outfile: worker };
  buildSync({ ...bundle, entryPoints: [here("prompts-work.ts")], logLevel: "warning" });
  const rows = JSON.parse(sh(process.execPath, [worker]));
  const [few] = rows;
  console.log("\nWhat the executor of one and the same task gets, in bytes, by the tasks of its plan");
  line("tasks", "prompt", "ratio", "inbox", "ratio");
  for (const { tasks, prompt, inbox } of rows) {
    line(tasks, prompt, times(prompt / few.prompt), inbox, times(inbox / few.inbox));
  }
  const isFlat = rows.every(({ prompt }) => prompt === few.prompt);
  console.log(isFlat ? "goal, the same prompt: met" : "goal, the same prompt: MISSED");
}

function line(...cells) {
  console.log(cells.map((cell) => String(cell).padStart(9)).join(" "));
}

function times(ratio) {
  return `${ratio.toFixed(2)}x`;
}
