import type { Control } from "../../git/control.ts";
import { readObjects } from "../../git/objects.ts";
import { deleteRefs, listRefs } from "../../git/refs.ts";
import { findFurnished } from "../../workspace/furnished.ts";
import { snapshot, type Snapshot } from "../../workspace/snapshot.ts";
import { checkoutStyle } from "../../workspace/checkout.ts";
import { rescueRef } from "../../project/paths.ts";
import type { AttemptKey } from "../../engine/session.ts";
import type { Project } from "../../project/project.ts";

export interface Unsaved {
  readonly run: string;
  readonly key: AttemptKey;
  readonly base: string;
  /** The workspace. */
  readonly dir: string;
  readonly signal: AbortSignal;
}

/** `ref` is null if there was nothing new to save; `unsaved` says what git could not save. */
export type Saving = { readonly ref: string | null } | { readonly unsaved: string };

/** Saves the content of a workspace under a new rescue ref, unless an existing one holds exactly that. */
export async function saveWorkspace({ control }: Project, what: Unsaved): Promise<Saving> {
  const { run, key, base, dir, signal } = what;
  const workspace = await findFurnished({ dir, commit: base, ...checkoutStyle });
  if (workspace === undefined) return { ref: null };
  const first = rescueRef(run, key);
  const before = await listRefs(control, first.slice(0, first.lastIndexOf("/")));
  const ref = freeRef(first, before);
  const taken = await snapshot(control, workspace.checkout, {
    base,
    ref,
    signal,
    exclude: workspace.madePaths,
    identity: checkoutStyle.identity,
    at: new Date(),
    message: `Work of ${key.task}, attempt ${key.attempt}, as \`stint gc\` found it\n`,
  });
  const left = taken.problems.find(({ kind }) => !isStillSaved.has(kind));
  const known = taken.empty || (await isSaved(control, taken, { first, before }));
  if (!taken.empty && known) await deleteRefs(control, new Map([[ref, taken.commit]]));
  if (left !== undefined) return { unsaved: `${left.path}: ${left.message}` };
  return { ref: known ? null : ref };
}

/** Problems that make a snapshot unfit as a candidate, although it contains the file. */
const isStillSaved: ReadonlySet<Snapshot["problems"][number]["kind"]> = new Set(["symlink", "name", "filtered"]);

/** What was saved at the end of the session stays as it is; the folder may have changed since. */
function freeRef(first: string, taken: ReadonlyMap<string, string>): string {
  let ref = first;
  for (let again = 2; taken.has(ref); again++) ref = `${first}-${again}`;
  return ref;
}

async function isSaved(
  control: Control,
  { tree }: Snapshot,
  { first, before }: { readonly first: string; readonly before: ReadonlyMap<string, string> },
): Promise<boolean> {
  const ofAttempt = [...before].filter(([ref]) => ref === first || ref.startsWith(`${first}-`));
  const trees = await readObjects(
    control,
    ofAttempt.map(([, commit]) => `${commit}^{tree}`),
  );
  return trees.some((saved) => saved?.oid === tree);
}
