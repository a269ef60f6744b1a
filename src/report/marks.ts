import type { TaskStanding } from "../engine/summary.ts";

/** The mark of each state of a task, wherever tasks are listed. */
export const marks: Record<TaskStanding, string> = {
  pending: " ",
  running: ">",
  verifying: "~",
  asking: "?",
  taken: "h",
  integrated: "✓",
  satisfied: "=",
  blocked: "!",
};

/** Returns the mark of a task; one that is blocked and among those with an open question asks. */
export function markOf(
  { id, state }: { readonly id: string; readonly state: TaskStanding },
  asking: readonly (string | null)[],
): string {
  return marks[state === "blocked" && asking.includes(id) ? "asking" : state];
}
