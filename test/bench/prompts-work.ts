import { executorPrompt } from "../../src/prompts/executor.ts";
import { inboxFiles } from "../../src/prompts/inbox.ts";
import { briefing, middle, tasksAroundMiddle } from "../rig/briefing.ts";

const rows = [10, 100, 1_000].map((count) => {
  const told = briefing(tasksAroundMiddle(count), middle);
  const inbox = [...inboxFiles(told).values()].reduce((sum, bytes) => sum + bytes.length, 0);
  return { tasks: count, prompt: Buffer.byteLength(executorPrompt(told)), inbox };
});
console.log(JSON.stringify(rows));
