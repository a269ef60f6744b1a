import type { PlanningEnd, PlanningSession } from "../planning-session.ts";
import { assessedDraft } from "./assess.ts";

/** Puts the accepted plan where it belongs; where that is refused, the draft is to be reviewed again. */
export async function handOverPlan(planning: PlanningSession): Promise<PlanningEnd | undefined> {
  const { ports, append } = planning;
  const handed = await ports.handOver(await assessedDraft(planning));
  if (!handed.ok) {
    append({ type: "hand-over-refused", why: handed.failure.message });
    return { kind: "failed", why: handed.failure.message, outcome: null };
  }
  append({ type: "handed-over", paths: handed.value });
  return undefined;
}
