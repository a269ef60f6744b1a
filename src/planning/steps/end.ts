import type { Step } from "../machine/next-step.ts";
import type { PlanningEnd, PlanningSession } from "../planning-session.ts";

/** Records that the planning session is over, unless it is or can be resumed, and says why it stopped. */
export function endPlanning(
  { append, state }: PlanningSession,
  how: Extract<Step, { type: "end" }>["end"],
): PlanningEnd {
  if (how.kind === "halted") return { kind: "failed", why: how.why, outcome: how.outcome };
  if (how.kind === "handed-over")
    return { kind: "handed-over", paths: how.paths, problems: state.draft?.problems ?? [] };
  if (state.over === null) append({ type: "planning-ended", why: how.kind, words: how.words });
  return how.kind === "rejected" ? { kind: "rejected" } : { kind: "failed", why: how.words, outcome: null };
}
