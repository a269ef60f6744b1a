import { unfinishedPlanningSessions, type UnfinishedPlanningSession } from "../../planning/sessions-on-disk.ts";
import { projectLimits } from "../../project/limits.ts";
import { plural } from "../../base/plural.ts";
import { unreachable } from "../../base/result.ts";
import type { Io } from "../io.ts";

/** Lists unfinished planning sessions and what each waits for: no run mentions them. */
export async function remindOfPlannings(io: Io): Promise<void> {
  const found = (await unfinishedPlanningSessions(io)).toReversed();
  const named = found.slice(0, projectLimits.runsNamedMax);
  for (const planning of named) io.err(reminderOf(planning));
  if (found.length > named.length) io.err(`and ${found.length - named.length} more planning sessions are unfinished.`);
}

function reminderOf({ plan, revises, waits, open }: UnfinishedPlanningSession): string {
  const what = `Planning of ${revises ? `a revision of ${plan}` : plan}`;
  const resume = `Resume: \`stint plan --continue ${plan}\``;
  switch (waits) {
    case "process":
      return `${what} is in progress in another process.`;
    case "answers":
      return `${what} is waiting for ${plural(open, "answer")}. ${resume}`;
    case "judgement":
      return `${what} is waiting for your review of the draft. ${resume}`;
    case "continue":
      return `${what} is unfinished. ${resume}`;
    default:
      return unreachable(waits);
  }
}
