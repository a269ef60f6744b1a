import { readdirSync } from "node:fs";
import { pruneLooseObjects } from "../../git/prune.ts";
import { deleteRefs, listRefs } from "../../git/refs.ts";
import type { Lock } from "../../journal/lock.ts";
import { upkeepLimits } from "../limits.ts";
import { lockPlan } from "../../project/driver-lock.ts";
import { rescueRefs } from "../../project/paths.ts";
import type { Project } from "../../project/project.ts";
import { planOfRun } from "../../engine/run-name.ts";
import { findRuns, listRuns } from "../../project/runs.ts";
import { namedObjects } from "./disposable.ts";

/** The rescue refs of each run, with what they name. */
export type Rescued = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** Lists the saved work of attempts that did not land. */
export async function listRescued({ control }: Project): Promise<Rescued> {
  const byRun = new Map<string, Map<string, string>>();
  for (const [ref, oid] of await listRefs(control, rescueRefs.slice(0, -1))) {
    const run = ref.slice(rescueRefs.length).split("/")[0] ?? "";
    byRun.set(run, (byRun.get(run) ?? new Map<string, string>()).set(ref, oid));
  }
  return byRun;
}

/** Removes the rescue refs of one run; the caller holds the plan's lock and knows that the run is finished. */
export async function removeRescued({ control }: Project, refs: ReadonlyMap<string, string>): Promise<void> {
  if (refs.size > 0) await deleteRefs(control, refs);
}

/**
 * Frees what nothing in the control repository names any more, if that is safe: no driver of any plan may be running, all
 * journals must be readable, and the user's repository must not borrow from here. Returns why not, or null.
 */
export async function pruneControl(project: Project, signal: AbortSignal): Promise<string | null> {
  const { control, paths } = project;
  if (control.borrowed.includes(control.objectsDir)) return "your repository borrows objects from it";
  const locks: Lock[] = [];
  try {
    for (const plan of plansOf(project)) {
      const lock = lockPlan(paths, { plan, purpose: "stint gc" });
      if (!lock.ok) return `another process is working on plan ${plan}`;
      locks.push(lock.value);
    }
    const { runs, damaged } = findRuns(paths);
    if (damaged.length > 0) return "the journal of a run cannot be read, so it is unknown what that run needs";
    const kept = namedObjects(runs);
    if (kept.size > upkeepLimits.pruneKeptMax) return "unfinished runs name too many commits";
    await pruneLooseObjects(control, { kept, before: new Date(Date.now() - upkeepLimits.pruneAgeMsMin), signal });
    return null;
  } finally {
    for (const lock of locks) lock.release();
  }
}

/** Lists every plan that a process could be working on: it has runs, or an approval to start one. */
function plansOf({ paths }: Project): Set<string> {
  const approved = readdirSync(paths.approvals).flatMap((name) => /^(.+)\.json$/.exec(name)?.[1] ?? []);
  return new Set([...approved, ...listRuns(paths).flatMap((run) => planOfRun(run) ?? [])]);
}
