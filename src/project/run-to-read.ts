import type { RunState } from "../engine/state.ts";
import { openUserRepo, type UserRepo } from "../git/user-repo.ts";
import { projectLimits } from "./limits.ts";
import { fail, ok, type Failure, type Result } from "../base/result.ts";
import { pathsOf, runPaths, type Paths } from "./paths.ts";
import type { RunEntry } from "../hooks/run-entry.ts";
import { findRuns, listRuns, readRun, type ReadRun } from "./runs.ts";
import { ensureStateFolders } from "./state-folder.ts";

/** A run as its journal has it, and its paths. */
export interface RunToRead {
  readonly repo: UserRepo;
  readonly paths: Paths;
  readonly state: RunState;
  readonly entries: readonly RunEntry[];
  readonly runDir: string;
  /** Why other runs, one of which may be newer, could not be read. */
  readonly damaged: readonly string[];
}

/** Why there is no run to read, after the reasons why some could not be read. */
export interface NoRunToRead extends Failure {
  readonly damaged: readonly string[];
}

/** Opens a run by id, or the newest, to read it without taking part in it. */
export async function openRunToRead(
  { cwd, env }: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
  id: string | undefined,
): Promise<Result<RunToRead, NoRunToRead>> {
  const repo = await openUserRepo(cwd);
  if (!repo.ok) return without(repo.failure);
  const paths = pathsOf(repo.value.commonDir, env);
  const folders = ensureStateFolders(paths);
  if (!folders.ok) return without(folders.failure);
  if (id !== undefined && !listRuns(paths).includes(id))
    return without(fail("no-run", `no run ${id}. ${knownRuns(paths)}`).failure);
  const { found, damaged } = id === undefined ? newestRun(paths) : { found: readRun(paths, id), damaged: [] };
  if (!found.ok) return without(found.failure, damaged);
  const state = found.value?.state;
  if (found.value === undefined || state === undefined)
    return without(fail("no-run", "no run yet. Start one with `stint run`.").failure, damaged);
  const runDir = runPaths(paths, state.run).dir;
  return ok({ repo: repo.value, paths, state, entries: found.value.entries, runDir, damaged });
}

/** What to print when a run does not exist: the runs that do. */
export function knownRuns(paths: Paths): string {
  const runs = listRuns(paths);
  const newest = runs.slice(-projectLimits.runsNamedMax);
  const older = runs.length > newest.length ? ` and ${runs.length - newest.length} older ones` : "";
  return runs.length === 0 ? "There are none yet." : `There are: ${newest.join(", ")}${older}`;
}

/** The sentence that follows the warnings, which name the damaged journals. */
export const unreadable = "that run cannot be read";

function newestRun(paths: Paths): {
  readonly found: Result<ReadRun | undefined>;
  readonly damaged: readonly string[];
} {
  const { runs, damaged } = findRuns(paths);
  const newest = runs.at(-1);
  const found = newest === undefined && damaged.length > 0 ? fail("unread", unreadable) : ok(newest);
  return { found, damaged };
}

function without(failure: Failure, damaged: readonly string[] = []): Result<never, NoRunToRead> {
  return { ok: false, failure: { ...failure, damaged } };
}
