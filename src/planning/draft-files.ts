import { join } from "node:path";
import { readPlainFile } from "../agents/driver-kit/outbox.ts";
import { planLimits } from "../plan/limits.ts";
import { proposedRules } from "../plan/plan-folder.ts";
import { decidedBy } from "./machine/decisions.ts";
import type { Asked } from "./machine/events.ts";
import type { SessionOutput } from "./machine/session-output.ts";
import { mergeDraft } from "./machine/revise.ts";
import type { PlanningState } from "./machine/state.ts";
import type { AssessedDraft } from "./machine/assessment.ts";
import { draftWithRules, readKept, writeFolder } from "./documents.ts";
import type { PlanningSession } from "./planning-session.ts";
import { readDraft } from "./read-outbox.ts";

type Documents = Pick<SessionOutput, "draft" | "rules">;

/** Reads the current documents: a draft, or only its scope, or nothing yet. */
export async function currentDocuments({ state, paths }: Pick<PlanningSession, "state" | "paths">): Promise<Documents> {
  return state.documents === null
    ? { draft: new Map(), rules: null }
    : await readKept(folderOf(paths, state.documents));
}

/** Writes the documents as they are after a session, before its end is recorded. */
export async function keepDocuments(
  planning: Pick<PlanningSession, "state" | "paths">,
  { at, output }: { readonly at: NonNullable<PlanningState["documents"]>; readonly output: SessionOutput },
): Promise<void> {
  const { draft, rules } = await currentDocuments(planning);
  const merged = { draft: mergeDraft(draft, output.draft), rules: output.rules ?? rules };
  await writeFolder(folderOf(planning.paths, at), draftWithRules(merged));
}

/** Writes the assessed draft where people and their editors find it. */
export async function showDraft({ state, paths }: PlanningSession, assessed: AssessedDraft): Promise<void> {
  await writeFolder(paths.draft, ownFiles(state, assessed));
}

/** Whether a person changed the draft where it was shown, and Stint was killed before it noticed. */
export async function hasUnheardEdit({ state, paths }: PlanningSession, assessed: AssessedDraft): Promise<boolean> {
  const isShown = state.draft !== null && state.draft.problems !== null;
  const { draft } = isShown ? await readKept(paths.draft) : { draft: new Map<string, Uint8Array>() };
  if (!draft.has("plan.md")) return false;
  const own = ownFiles(state, assessed);
  return [...draft].some(([name, bytes]) => !Buffer.from(bytes).equals(Buffer.from(own.get(name) ?? [])));
}

/** The documents by name inside the plan's folder, without the inputs. */
function ownFiles({ plan }: PlanningState, { documents }: AssessedDraft): Map<string, Uint8Array> {
  const prefix = `plans/${plan}/`;
  const own = [...documents].filter(([path]) => path.startsWith(prefix) && !path.startsWith(`${prefix}inputs/`));
  return new Map(own.map(([path, bytes]) => [path.slice(prefix.length), bytes]));
}

/** Takes over the draft as a person edited it; returns the decisions that they made in it. */
export async function keepEdited({ state, paths }: PlanningSession, shown: AssessedDraft): Promise<readonly Asked[]> {
  if (state.documents === null) throw new Error("Internal error: expected a draft, but was null");
  const draft = await readDraft(paths.draft, []);
  const rules = await readPlainFile(paths.draft, proposedRules, planLimits.planFileBytesMax).catch(() => null);
  await writeFolder(folderOf(paths, state.documents), draftWithRules({ draft, rules }));
  const before = shown.documents.get(`plans/${state.plan}/plan.md`);
  return decidedBy(before ?? new Uint8Array(), draft.get("plan.md") ?? new Uint8Array());
}

function folderOf(
  paths: PlanningSession["paths"],
  { session, phase }: NonNullable<PlanningState["documents"]>,
): string {
  return join(paths.session(session, phase).dir, "draft");
}
