import { existsSync } from "node:fs";
import { mkdir, open, readdir, rename, rm } from "node:fs/promises";
import { dirname, join, sep } from "node:path";
import { readPlainFile } from "../agents/driver-kit/outbox.ts";
import { realFiles } from "../journal/file-port.ts";
import { planLimits } from "../plan/limits.ts";
import { proposedRules } from "../plan/plan-folder.ts";
import { decidedBy } from "./machine/decisions.ts";
import type { Asked } from "./machine/events.ts";
import type { SessionOutput } from "./machine/session-output.ts";
import { mergeDraft } from "./machine/revise.ts";
import type { PlanningState } from "./machine/state.ts";
import type { AssessedDraft } from "./machine/assessment.ts";
import type { PlanningSession } from "./planning-session.ts";
import { readDraft } from "./read-outbox.ts";

/** A draft, and the rules that it proposes. */
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

/** Tells whether a person changed the draft where it was shown, and Stint was killed before it noticed. */
export async function hasUnheardEdit({ state, paths }: PlanningSession, assessed: AssessedDraft): Promise<boolean> {
  const isShown = state.draft !== null && state.draft.problems !== null;
  const { draft } = isShown ? await readKept(paths.draft) : { draft: new Map<string, Uint8Array>() };
  if (!draft.has("plan.md")) return false;
  const own = ownFiles(state, assessed);
  return [...draft].some(([name, bytes]) => !Buffer.from(bytes).equals(Buffer.from(own.get(name) ?? [])));
}

/** Lists the documents by name inside the plan's folder, without the inputs. */
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

/** Lists the output of a session as files: the documents, the proposal for the rules, and the rest as JSON. */
export function filesOfOutput({ draft, rules, questions, findings }: SessionOutput): Map<string, Uint8Array> {
  return new Map([
    ...draftWithRules({ draft, rules }),
    ...(questions.length === 0 ? [] : [["questions.json", jsonBytes(questions)] as const]),
    ...(findings === null ? [] : [["findings.json", jsonBytes(findings)] as const]),
  ]);
}

/** Lists a draft and its proposal for the rules as files of one folder. */
function draftWithRules({ draft, rules }: Documents): Map<string, Uint8Array> {
  return new Map([...draft, ...(rules === null ? [] : [["rules.md", rules] as const])]);
}

/** Reads a draft that was written as `draftWithRules` lists it. */
async function readKept(folder: string): Promise<Documents> {
  await completeFolder(folder);
  const draft = await readDraft(folder, []);
  const rules = await readPlainFile(folder, "rules.md", planLimits.planFileBytesMax).catch(() => null);
  return { draft, rules };
}

function jsonBytes(value: unknown): Buffer {
  return Buffer.from(`${JSON.stringify(value, null, 2)}\n`);
}

/** Reads every file below a folder of ours, by its path from there; none where the folder is missing. */
export async function readFolder(folder: string): Promise<Map<string, Uint8Array>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const names = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const files = new Map<string, Uint8Array>();
  for (const path of names.toSorted())
    files.set(
      path.slice(folder.length + sep.length),
      await readPlainFile(dirname(path), path.slice(dirname(path).length + 1), planLimits.inputFileBytesMax),
    );
  return files;
}

/** Writes exactly these files into a folder, atomically and durably. */
export async function writeFolder(folder: string, files: ReadonlyMap<string, Uint8Array>): Promise<void> {
  await completeFolder(folder);
  const { made, old } = besides(folder);
  await rm(made, { recursive: true, force: true });
  await mkdir(made, { recursive: true, mode: 0o700 });
  for (const [name, bytes] of files) await writeDurably(join(made, name), bytes);
  await rm(old, { recursive: true, force: true });
  if (existsSync(folder)) await rename(folder, old);
  await rename(made, folder);
  realFiles.fsyncDir(dirname(folder));
  await rm(old, { recursive: true, force: true });
}

/** Renames the complete new folder, where a kill came between the two renames. */
async function completeFolder(folder: string): Promise<void> {
  const { made, old } = besides(folder);
  if (!existsSync(folder) && existsSync(old) && existsSync(made)) await rename(made, folder);
}

function besides(folder: string) {
  return { made: `${folder}.new`, old: `${folder}.old` };
}

async function writeDurably(path: string, bytes: Uint8Array): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await using file = await open(path, "wx", 0o600);
  await file.writeFile(bytes);
  await file.sync();
  realFiles.fsyncDir(dirname(path));
}
