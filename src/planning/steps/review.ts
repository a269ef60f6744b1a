import { keepEdited } from "../draft-files.ts";
import type { PlanningEnd, PlanningSession } from "../planning-session.ts";
import { assessedDraft } from "./assess.ts";

/** Shows the draft to a person and records what they decide. */
export async function reviewDraft(planning: PlanningSession, isLast: boolean): Promise<PlanningEnd | undefined> {
  const { ports, paths, state, materials, append } = planning;
  const assessed = await assessedDraft(planning);
  const revises = materials.revision?.plan ?? null;
  const shown = { plan: state.plan, folder: paths.draft, assessed, findings: state.findings, revises, isLast };
  const decision = (await ports.dialog?.review(shown)) ?? null;
  if (decision === null) return { kind: "waits", for: "review" };
  const decided = decision.word === "edit" ? await keepEdited(planning, assessed) : [];
  if (decision.word === "edit") planning.assessed = null;
  append({ type: "draft-judged", ...decision, ...(decided.length > 0 && { decided }) });
  return undefined;
}

/** Accepts the draft of a headless session, which no person reviews. */
export function acceptUnseen({ append }: PlanningSession): undefined {
  append({ type: "draft-judged", word: "accept", words: "" });
}
