import { showDuration } from "../../../base/duration.ts";
import { taskWarning } from "../../problem.ts";
import type { Problem, Task } from "../../types.ts";

const minuteMs = 60_000;

/** A task is 15 to 60 minutes of one agent's work: less wastes a session, more gets lost in one. */
export function adviseEstimate(task: Task): Problem[] {
  const { estimateMs } = task;
  if (estimateMs === undefined || (estimateMs >= 15 * minuteMs && estimateMs <= 60 * minuteMs)) return [];
  const cure = estimateMs < 15 * minuteMs ? "Merge the task with a neighbour." : "Split the task.";
  const message = `The estimate of ${showDuration(estimateMs)} is outside 15m to 60m. ${cure}`;
  return [taskWarning(task, ["estimate"], { code: "estimate", message })];
}
