import { endLeftovers } from "../../process/supervise.ts";
import { removeTree } from "../../workspace/remove.ts";
import { planningPaths, planningScratch } from "../../project/paths.ts";
import { lockPlanningSession, listPlanningSessions, readPlanningSession } from "../../planning/sessions-on-disk.ts";
import type { Project } from "../../project/project.ts";
import { bytesIn, namesIn } from "./folders.ts";
import type { SweepOptions } from "./sweep.ts";

/** What one planning session keeps on disk, and what was done with it. */
export interface CollectedPlanning {
  readonly planning: string;
  /** `driven` means that a process is working on it. */
  readonly state: "driven" | "over" | "open" | "unreadable";
  /** Which process drives it, or why its clones are kept. */
  readonly why: string | null;
  /** The size of its clones before anything was removed. */
  readonly bytes: number;
  readonly freed: number;
  readonly failed: readonly string[];
}

/** Removes the clones of planning sessions that no process is working on; they never contain work. */
export async function collectPlannings(project: Project, options: SweepOptions): Promise<CollectedPlanning[]> {
  const names = new Set([...listPlanningSessions(project.paths), ...namesIn(planningScratch(project.paths))]);
  const collected: CollectedPlanning[] = [];
  for (const planning of [...names].toSorted()) {
    options.signal.throwIfAborted();
    collected.push(await collectPlanning(project, planning, options));
  }
  return collected;
}

async function collectPlanning(
  { paths }: Project,
  planning: string,
  { dryRun }: SweepOptions,
): Promise<CollectedPlanning> {
  const { scratch } = planningPaths(paths, planning);
  const facts = { planning, bytes: bytesIn(scratch), freed: 0, failed: [] };
  const lock = lockPlanningSession(paths, planning, "stint gc");
  if (!lock.ok) return { ...facts, state: "driven", why: lock.failure.message };
  try {
    const read = readPlanningSession(paths, planning);
    if (!read.ok) return { ...facts, state: "unreadable", why: read.failure.message };
    const { state } = read.value;
    const standing = state === undefined || state.over !== null ? "over" : "open";
    const unfinished = `a session is not finished; \`stint plan --continue ${state?.plan ?? ""}\` ends it`;
    if (state !== undefined && state.open !== null) return { ...facts, state: standing, why: unfinished };
    return { ...facts, state: standing, why: null, ...(await remove(scratch, { bytes: facts.bytes, dryRun })) };
  } finally {
    lock.value.release();
  }
}

async function remove(
  scratch: string,
  { bytes, dryRun }: { readonly bytes: number; readonly dryRun: boolean },
): Promise<Pick<CollectedPlanning, "freed" | "failed">> {
  if (dryRun) return { freed: bytes, failed: [] };
  try {
    await endLeftovers({ cwdWithin: scratch, environWithin: scratch });
    await removeTree(scratch);
    return { freed: bytes, failed: [] };
  } catch (error) {
    return { freed: 0, failed: [`${scratch} cannot be removed: ${(error as Error).message}`] };
  }
}
