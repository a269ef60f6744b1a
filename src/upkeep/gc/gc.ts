import { readdirSync } from "node:fs";
import { join } from "node:path";
import { summarise } from "../../engine/summary.ts";
import { unusedEntries } from "../../workspace/setup-cache.ts";
import { removeTree } from "../../workspace/remove.ts";
import { lockPlan } from "../../project/driver-lock.ts";
import { bytesIn, isFolder, namesIn } from "./folders.ts";
import { collectPlannings, type CollectedPlanning } from "./planning-sessions.ts";
import { listRescued, pruneControl, removeRescued, type Rescued } from "./rescued.ts";
import { sweepRun, type SweepOptions, type Swept } from "./sweep.ts";
import { agentHomes, runPaths, setupCacheDir } from "../../project/paths.ts";
import type { Project } from "../../project/project.ts";
import { planOfRun } from "../../engine/run-name.ts";
import { listRuns, nameOfRun, readRun } from "../../project/runs.ts";

export type { CollectedPlanning };

interface GcOptions extends SweepOptions {
  /** Whether rescue refs of finished runs are removed, too. */
  readonly rescued: boolean;
}

/** What one run keeps on disk, and what was done with it. */
export interface CollectedRun extends Readonly<Swept> {
  readonly run: string;
  /** What people call it, like `invoices#3`. */
  readonly name: string;
  readonly plan: string;
  readonly state: "driven" | "finished" | "unfinished" | "unreadable";
  /** Which process drives it, why it waits, or why it cannot be read. */
  readonly why: string | null;
  /** The time in `why` until which it waits; null without one. */
  readonly until: string | null;
  /** The sizes before anything was removed. */
  readonly bytes: { readonly workspaces: number; readonly rooms: number; readonly attempts: number };
  readonly rescued: { readonly refs: number; readonly removed: number };
}

/** A folder that all runs share; `bytes` is its size before. */
export interface Shared {
  readonly path: string;
  readonly bytes: number;
  readonly freed: number;
}

export interface Collection {
  readonly runs: readonly CollectedRun[];
  readonly plannings: readonly CollectedPlanning[];
  readonly setup: Shared;
  readonly control: Shared & {
    /** Why it was not pruned; null if it was, or if that was not asked for. */
    readonly unpruned: string | null;
  };
  readonly homes: readonly Shared[];
  /** Rescue refs of runs that no longer exist; they are kept. */
  readonly strayRescued: number;
}

/** Removes what no run needs from everything that Stint keeps for a repository; nothing goes before it is saved. */
export async function collectGarbage(project: Project, options: GcOptions): Promise<Collection> {
  const rescued = await listRescued(project);
  const names = new Set([...listRuns(project.paths), ...readdirSync(project.paths.scratch)]);
  const runs: CollectedRun[] = [];
  const found = [...names].flatMap((run) => ({ run, plan: planOfRun(run) })).toSorted(byRun);
  for (const { run, plan } of found) {
    options.signal.throwIfAborted();
    if (plan !== undefined) runs.push(await collectRun(project, { run, plan, rescued }, options));
  }
  const stray = [...rescued].filter(([run]) => !names.has(run));
  return {
    runs,
    plannings: await collectPlannings(project, options),
    setup: await collectSetup(project, options),
    control: await collectControl(project, options),
    homes: homesOf(project),
    strayRescued: stray.reduce((sum, [, refs]) => sum + refs.size, 0),
  };
}

function byRun(a: { readonly run: string }, b: { readonly run: string }): number {
  return a.run < b.run ? -1 : 1;
}

async function collectRun(
  project: Project,
  { run, plan, rescued }: { readonly run: string; readonly plan: string; readonly rescued: Rescued },
  options: GcOptions,
): Promise<CollectedRun> {
  const { dir, workspaces, rooms, judges } = runPaths(project.paths, run);
  const refs = rescued.get(run) ?? new Map<string, string>();
  const bytes = {
    workspaces: bytesIn(workspaces),
    rooms: bytesIn(rooms) + bytesIn(judges),
    attempts: bytesIn(join(dir, "attempts")),
  };
  const facts = {
    run,
    name: nameOfRun(project.paths, run),
    plan,
    bytes,
    until: null,
    rescued: { refs: refs.size, removed: 0 },
    ...nothing,
  };
  const lock = lockPlan(project.paths, { plan, purpose: "stint gc" });
  if (!lock.ok) return { ...facts, state: "driven", why: lock.failure.message };
  try {
    const read = readRun(project.paths, run);
    if (!read.ok) return { ...facts, state: "unreadable", why: read.failure.message };
    const { state } = read.value;
    if (state === undefined) return { ...facts, state: "unreadable", why: "its journal is missing or empty" };
    const swept = await sweepRun(project, { ...read.value, state }, options);
    if (state.finished === null) return { ...facts, ...swept, state: "unfinished", ...whyUnfinished(state) };
    if (options.rescued && !options.dryRun) await removeRescued(project, refs);
    const gone = { refs: refs.size, removed: options.rescued ? refs.size : 0 };
    return { ...facts, ...swept, state: "finished", why: null, rescued: gone };
  } finally {
    lock.value.release();
  }
}

const nothing: Swept = { freed: 0, saved: [], kept: [], failed: [] };

function whyUnfinished(state: Parameters<typeof summarise>[0]): Pick<CollectedRun, "why" | "until"> {
  const { state: standing, reason, until } = summarise(state, false);
  return { why: reason === null ? standing : `${standing}: ${reason}`, until };
}

async function collectSetup({ paths }: Project, { dryRun }: GcOptions): Promise<Shared> {
  const path = setupCacheDir(paths);
  const bytes = bytesIn(path);
  let freed = 0;
  const unused = isFolder(path) ? await unusedEntries(path, Date.now()) : [];
  for (const entry of unused) {
    const size = bytesIn(entry);
    if (!dryRun) await removeTree(entry);
    freed += size;
  }
  return { path, bytes, freed };
}

async function collectControl(
  project: Project,
  { rescued, dryRun, signal }: GcOptions,
): Promise<Collection["control"]> {
  const path = project.control.dir;
  const bytes = bytesIn(path);
  const unpruned = rescued && !dryRun ? await pruneControl(project, signal) : null;
  return { path, bytes, freed: Math.max(0, bytes - bytesIn(path)), unpruned };
}

/** Logins are kept there: the homes are shown and never touched. */
function homesOf({ env }: Project): Shared[] {
  const homes = agentHomes(env);
  return namesIn(homes).map((name) => ({ path: join(homes, name), bytes: bytesIn(join(homes, name)), freed: 0 }));
}
