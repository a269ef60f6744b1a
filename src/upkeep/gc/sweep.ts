import { runName } from "../../engine/run-name.ts";
import { randomBytes } from "node:crypto";
import { lstatSync } from "node:fs";
import { rename, rmdir } from "node:fs/promises";
import { join } from "node:path";
import { endLeftovers } from "../../process/supervise.ts";
import { asideName, removeTree, unlock } from "../../workspace/remove.ts";
import { runPaths, rescueRef } from "../../project/paths.ts";
import type { Project } from "../../project/project.ts";
import type { StartedRun } from "../../project/runs.ts";
import { bytesIn, isFolder, namesIn } from "./folders.ts";
import { fateOfWorkspace } from "./disposable.ts";
import type { Control } from "../../git/control.ts";
import { readObjects } from "../../git/objects.ts";
import { deleteRefs, listRefs } from "../../git/refs.ts";
import { findFurnished } from "../../workspace/furnished.ts";
import { cannotJoin, type FoundWorkspace, isLayered, openLayered, putBackLayer } from "../../workspace/layered.ts";
import { wholeFiles } from "../../workspace/tracked-files.ts";
import { findLayerTools } from "../../sandbox/find.ts";
import { snapshot, type Snapshot } from "../../workspace/snapshot.ts";
import { checkoutStyle } from "../../workspace/checkout.ts";
import type { AttemptKey } from "../../engine/session.ts";

/** What was done with the scratch folders of one run, or would be. */
export interface Swept {
  freed: number;
  /** Rescue refs that were created because no other had the same content. */
  readonly saved: string[];
  readonly kept: { readonly path: string; readonly why: string }[];
  /** What should have been removed, but could not be. */
  readonly failed: string[];
}

export interface SweepOptions {
  readonly dryRun: boolean;
  readonly signal: AbortSignal;
}

/** Saves and removes a run's workspaces, and removes its rooms and its checkpoint; the caller holds the plan's lock. */
export async function sweepRun(project: Project, run: StartedRun, options: SweepOptions): Promise<Swept> {
  const swept: Swept = { freed: 0, saved: [], kept: [], failed: [] };
  const { dir, scratch, workspaces, rooms, judges, planners } = runPaths(project.paths, run.id);
  // A killed reader leaves what it had written of a checkpoint under another name.
  const kept = namesIn(dir).filter((name) => /^checkpoint$|^\.checkpoint\..*\.tmp$/.test(name));
  for (const name of kept) await remove({ swept, dryRun: options.dryRun }, join(dir, name));
  if (![scratch, workspaces, rooms, judges, planners].every((path) => isOurs(path, swept))) return swept;
  const sweep = { project, run, swept, ...options };
  for (const name of namesIn(scratch)) if (asideName.test(name)) await remove(sweep, join(scratch, name));
  for (const name of namesIn(workspaces)) {
    options.signal.throwIfAborted();
    if (isOurs(join(workspaces, name), swept)) await sweepWorkspace(sweep, name);
  }
  if (isFolder(rooms)) await sweepRooms(sweep, rooms);
  if (isFolder(judges)) await sweepJudges(sweep, judges);
  if (isFolder(planners)) await sweepPlanners(sweep, planners);
  // `rmdir` removes empty folders only.
  if (!options.dryRun) for (const path of [workspaces, scratch]) await rmdir(path).catch(() => undefined);
  return swept;
}

interface Sweep extends SweepOptions {
  readonly project: Project;
  readonly run: StartedRun;
  readonly swept: Swept;
}

/** An agent that was not confined may have put a link where our folder was: then nothing behind it is touched. */
function isOurs(path: string, { kept }: Swept): boolean {
  if (isFolder(path) || lstatSync(path, { throwIfNoEntry: false }) === undefined) return true;
  kept.push({ path, why: "it is not a folder, so Stint did not create it; check it, then remove it yourself" });
  return false;
}

async function sweepWorkspace(sweep: Sweep, name: string): Promise<void> {
  const { project, run, swept, dryRun, signal } = sweep;
  const paths = runPaths(project.paths, run.id);
  const dir = join(paths.workspaces, name);
  const fate = fateOfWorkspace(run, name);
  if (fate.kind === "keep") return void swept.kept.push({ path: dir, why: fate.why });
  if (dryRun) return await remove(sweep, dir);
  try {
    const saving = await saveWorkspace(project, { run: run.id, ...fate, dir, signal });
    if ("unsaved" in saving) {
      const why = `git cannot save part of it (${saving.unsaved}); check it, then remove it yourself`;
      return void swept.kept.push({ path: dir, why });
    }
    if (saving.ref !== null) swept.saved.push(saving.ref);
    // Renamed first: after a crash, a half-removed folder must not pass for work.
    const aside = join(paths.scratch, `removing-${randomBytes(6).toString("hex")}`);
    await unlock(dir);
    await rename(dir, aside);
    await remove(sweep, aside);
  } catch (error) {
    signal.throwIfAborted();
    swept.failed.push(`${dir} was kept: ${(error as Error).message}`);
  }
}

/** A workspace whose content may not be saved yet. */
interface Unsaved {
  readonly run: string;
  readonly key: AttemptKey;
  readonly base: string;
  readonly dir: string;
  readonly signal: AbortSignal;
}

/** `ref` is null if there was nothing new to save; `unsaved` says what git could not save. */
type Saving = { readonly ref: string | null } | { readonly unsaved: string };

/** Saves the content of a workspace under a new rescue ref, unless an existing one has exactly that. */
async function saveWorkspace(project: Project, what: Unsaved): Promise<Saving> {
  const { run, key, base, dir, signal } = what;
  const { control } = project;
  await using workspace = await openWorkspace(project, { dir, base });
  if (workspace === undefined) return { ref: null };
  const first = rescueRef(run, key);
  const before = await listRefs(control, first.slice(0, first.lastIndexOf("/")));
  const ref = freeRef(first, before);
  const taken = await snapshot(control, workspace.checkout, {
    base,
    ref,
    signal,
    exclude: workspace.madePaths,
    below: workspace.below,
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

/** Finds what a session left; where that is only changes, the files below them are checked out for a while. */
async function openWorkspace(
  { control, env }: Project,
  { dir, base }: Pick<Unsaved, "dir" | "base">,
): Promise<(FoundWorkspace & AsyncDisposable) | undefined> {
  await putBackLayer(dir);
  if (!isLayered(dir)) {
    const found = await findFurnished({ dir, commit: base, ...checkoutStyle });
    return found === undefined ? undefined : { ...found, [Symbol.asyncDispose]: async () => undefined };
  }
  const layers = findLayerTools(env);
  if (layers === undefined) throw cannotJoin(dir);
  const below = join(dir, "tree.below");
  const files = await wholeFiles({ control, dir: below }, base);
  if (!files.ok) throw new Error(files.failure.message);
  const found = await openLayered(dir, { files: files.value, layers });
  return { ...found, [Symbol.asyncDispose]: () => removeTree(below) };
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

/** Rooms contain no work; a check that outlived its driver would keep filling them. */
async function sweepRooms(sweep: Sweep, rooms: string): Promise<void> {
  if (!sweep.dryRun) await endLeftovers({ cwdWithin: rooms, environWithin: rooms });
  await remove(sweep, rooms);
}

/** The next driver of the run ends a judge that is still open and counts what it used, so its folder is kept. */
async function sweepJudges(sweep: Sweep, judges: string): Promise<void> {
  const { run, swept } = sweep;
  const isOpen = [...run.state.judges.values()].some(({ open }) => open !== null);
  if (!isOpen) return await sweepRooms(sweep, judges);
  swept.kept.push({
    path: judges,
    why: `a judge's session is not finished; \`stint resume ${runName(run.state)}\` ends it`,
  });
}

/** The same applies to a planner that revises the plan of the run. */
async function sweepPlanners(sweep: Sweep, planners: string): Promise<void> {
  const { run, swept } = sweep;
  if (run.state.replanning.open === null) return await sweepRooms(sweep, planners);
  swept.kept.push({
    path: planners,
    why: `a planner's session is not finished; \`stint resume ${runName(run.state)}\` ends it`,
  });
}

async function remove({ swept, dryRun }: Pick<Sweep, "swept" | "dryRun">, path: string): Promise<void> {
  const bytes = bytesIn(path);
  try {
    if (!dryRun) await removeTree(path);
    swept.freed += bytes;
  } catch (error) {
    swept.failed.push(`${path} cannot be removed: ${(error as Error).message}`);
  }
}
