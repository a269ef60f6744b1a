import type { RunState } from "../engine/state.ts";
import { runName, runsCalled, type NamedRun } from "../engine/run-name.ts";
import { openUserRepo, type UserRepo } from "../git/user-repo.ts";
import { projectLimits } from "./limits.ts";
import { fail, ok, type Failure, type Result } from "../base/result.ts";
import { pathsOf, runPaths, type Paths } from "./paths.ts";
import type { RunEntry } from "../hooks/run-entry.ts";
import { findRuns, listRuns, namedRuns, readRun, type ReadRun } from "./runs.ts";
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

/** Opens a run by what a person calls it, or the newest, to read it without taking part in it. */
export async function openRunToRead(
  { cwd, env }: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
  name: string | undefined,
): Promise<Result<RunToRead, NoRunToRead>> {
  const repo = await openUserRepo(cwd);
  if (!repo.ok) return without(repo.failure);
  const paths = pathsOf(repo.value.commonDir, env);
  const folders = ensureStateFolders(paths);
  if (!folders.ok) return without(folders.failure);
  const id = name === undefined ? ok(undefined) : runCalled(paths, name);
  if (!id.ok) return without(id.failure);
  const { found, damaged } =
    id.value === undefined ? newestRun(paths) : { found: readRun(paths, id.value), damaged: [] };
  if (!found.ok) return without(found.failure, damaged);
  const state = found.value?.state;
  if (found.value === undefined || state === undefined)
    return without(fail("no-run", "no run yet. Start one with `stint run`.").failure, damaged);
  const runDir = runPaths(paths, state.run).dir;
  return ok({ repo: repo.value, paths, state, entries: found.value.entries, runDir, damaged });
}

/** Finds the id of the run that a person calls `invoices#3`, `invoices` (its newest), or by its id or the beginning of that. */
export function runCalled(paths: Paths, name: string): Result<string, Failure<"no-run">> {
  // An id needs no other run to be read.
  if (listRuns(paths).includes(name)) return ok(name);
  const runs = namedRuns(paths);
  const [only, ...others] = runsCalled(runs, name);
  if (only === undefined)
    return fail(
      "no-run",
      `no run ${name}. ${runs.length === 0 ? "There are none yet." : `There are: ${listed(runs)}`}`,
    );
  if (others.length === 0) return ok(only.run);
  return fail("no-run", `several runs begin with ${name}. Name one of: ${listed([only, ...others])}`);
}

/** Names runs for people, oldest first; where there are many, only the newest. */
export function listed(runs: readonly NamedRun[]): string {
  const newest = runs.slice(-projectLimits.runsNamedMax);
  const older = runs.length > newest.length ? ` and ${runs.length - newest.length} older ones` : "";
  return `${newest.map(runName).join(", ")}${older}`;
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
