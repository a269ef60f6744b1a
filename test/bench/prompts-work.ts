import { executorInbox, executorPrompt } from "../../src/prompts/executor.ts";
import { plannerInbox, plannerPrompt } from "../../src/planning/prompts/planner.ts";
import { briefing, middle, tasksAroundMiddle } from "../rig/briefing.ts";
import { plannerBriefing } from "../rig/planner-briefing.ts";

const counts = [10, 100, 1_000];

const executor = counts.map((count) => {
  const told = briefing(tasksAroundMiddle(count), middle);
  return { count, prompt: Buffer.byteLength(executorPrompt(told)), inbox: bytesOf(executorInbox(told)) };
});
const planner = counts.map((count) => {
  const told = plannerBriefing("draft", count);
  return { count, prompt: Buffer.byteLength(plannerPrompt(told)), inbox: bytesOf(plannerInbox(told)) };
});
console.log(JSON.stringify({ executor, planner }));

function bytesOf(files: ReadonlyMap<string, Uint8Array>): number {
  return [...files.values()].reduce((sum, bytes) => sum + bytes.length, 0);
}
