import { currentDocuments, hasUnheardEdit, keepEdited, showDraft } from "../draft-files.ts";
import type { AssessedDraft } from "../machine/assessment.ts";
import { expectDraft, type PlanningSession } from "../planning-session.ts";

/** Lints the draft, runs its checks on the base, and records what is wrong with it. */
export async function assessDraftNow(planning: PlanningSession): Promise<undefined> {
  const { problems } = await assessedDraft(planning);
  planning.append({ type: "draft-assessed", session: expectDraft(planning.state).session, problems });
}

/** Returns the current draft as it was assessed, and assesses it where this process has not done so yet. */
export async function assessedDraft(planning: PlanningSession): Promise<AssessedDraft> {
  const { session } = expectDraft(planning.state);
  if (planning.assessed?.session === session) return planning.assessed.draft;
  let draft = await assessKept(planning);
  if (await hasUnheardEdit(planning, draft)) {
    await keepEdited(planning, draft);
    draft = await assessKept(planning);
  }
  await showDraft(planning, draft);
  planning.assessed = { session, draft };
  return draft;
}

async function assessKept(planning: PlanningSession): Promise<AssessedDraft> {
  const kept = await currentDocuments(planning);
  const draft = await planning.ports.assess({ ...kept, questions: [], findings: null, problems: [] });
  planning.signal.throwIfAborted();
  return draft;
}
