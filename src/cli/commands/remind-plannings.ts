import { unfinishedPlanningSessions, type UnfinishedPlanningSession } from "../../planning/unfinished-sessions.ts";
import { projectLimits } from "../../project/limits.ts";
import { plural } from "../../base/plural.ts";
import { unreachable } from "../../base/result.ts";
import type { Io } from "../io.ts";

/** Says which plans are being made and what each waits for: whoever left one would find no word of it in any run. */
export async function remindOfPlannings(io: Io): Promise<void> {
  const found = (await unfinishedPlanningSessions(io)).toReversed();
  const named = found.slice(0, projectLimits.runsNamedMax);
  for (const planning of named) io.err(reminderOf(planning));
  if (found.length > named.length) io.err(`and ${found.length - named.length} more plans are not finished.`);
}

function reminderOf({ plan, revises, waits, open }: UnfinishedPlanningSession): string {
  const what = `${revises ? "A revision of plan" : "Plan"} ${plan} is being made`;
  const goesOn = `stint plan --continue ${plan}`;
  switch (waits) {
    case "process":
      return `${what} by another process.`;
    case "answers":
      return `${what} and waits for ${plural(open, "answer")}: ${goesOn}`;
    case "judgement":
      return `${what}, and its draft waits for your word: ${goesOn}`;
    case "continue":
      return `${what} and was left: ${goesOn}`;
    default:
      return unreachable(waits);
  }
}
