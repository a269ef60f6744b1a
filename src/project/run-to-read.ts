import type { RunState } from "../engine/state.ts";
import { runName, runsCalled, type NamedRun } from "../engine/run-name.ts";
import { openUserRepo, type UserRepo } from "../git/user-repo.ts";
import { projectLimits } from "./limits.ts";
import { fail, ok, type Failure, type Result } from "../base/result.ts";
import { pathsOf, runPaths, type Paths } from "./paths.ts";
import type { RunEntry } from "../hooks/run-entry.ts";
import { planNameIn } from "./project.ts";
import {
  findRuns,
  findStandingRuns,
  listRuns,
  namedStandingRuns,
  readRun,
  readStandingRun,
  unfinishedRuns,
  type FoundRuns,
  type ReadRun,
  type StartedRun,
} from "./runs.ts";
import { ensureStateFolders } from "./state-folder.ts";

/** A run as its journal has it, and its paths. */
export interface RunToRead extends OpenedRun {
  readonly entries: readonly RunEntry[];
}

/** A run to show, without the events of what is over. */
export interface RunToShow extends OpenedRun {
  readonly open: readonly RunEntry[];
}

/** A run that was opened to look at it. */
export interface OpenedRun {
  readonly repo: UserRepo;
  readonly paths: Paths;
  readonly state: RunState;
  readonly runDir: string;
  /** Why other runs, one of which may be newer, could not be read. */
  readonly damaged: readonly string[];
  /** Other runs in progress that have the asked task, too, where no run was named. */
  readonly alike: readonly RunState[];
}

/** Where a person types: paths are relative to the folder, or to the root of the work tree. */
interface Place {
  readonly root: string;
  readonly cwd: string;
}

/** Why there is no run to read, after the reasons why some could not be read. */
export interface NoRunToRead extends Failure {
  readonly damaged: readonly string[];
}

/** Opens a run by what a person calls it, or the newest (that has the task, if any has), to read it without taking part in it. */
export async function openRunToRead(
  at: Caller,
  name: string | undefined,
  task?: string,
): Promise<Result<RunToRead, NoRunToRead>> {
  return await open(at, { name, task }, { find: findRuns, read: readRun });
}

/** Opens a run in the same way, to show where it stands. */
export async function openRunToShow(at: Caller, name: string | undefined): Promise<Result<RunToShow, NoRunToRead>> {
  return await open(at, { name }, { find: findStandingRuns, read: readStandingRun });
}

interface Caller {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

/** What a person has typed. */
interface Typed {
  readonly name: string | undefined;
  readonly task?: string | undefined;
}

/** How runs are read. */
interface Reader<Run> {
  readonly find: (paths: Paths) => FoundRuns<Run>;
  readonly read: (paths: Paths, id: string) => Result<Run>;
}

async function open<Run extends Pick<ReadRun, "id" | "state">>(
  { cwd, env }: Caller,
  { name, task }: Typed,
  { find, read }: Reader<Run>,
): Promise<Result<OpenedRun & Run & Pick<StartedRun, "state">, NoRunToRead>> {
  const repo = await openUserRepo(cwd);
  if (!repo.ok) return without(repo.failure);
  const paths = pathsOf(repo.value.commonDir, env);
  const folders = ensureStateFolders(paths);
  if (!folders.ok) return without(folders.failure);
  const id = name === undefined ? ok(undefined) : runCalled(paths, name, { root: repo.value.root, cwd });
  if (!id.ok) return without(id.failure);
  const { found, damaged, alike } =
    id.value === undefined ? newestRun(find(paths), task) : { found: read(paths, id.value), damaged: [], alike: [] };
  if (!found.ok) return without(found.failure, damaged);
  const state = found.value?.state;
  if (found.value === undefined || state === undefined)
    return without(fail("no-run", "no run yet. Start one with `stint run`.").failure, damaged);
  const runDir = runPaths(paths, state.run).dir;
  return ok({ ...found.value, repo: repo.value, paths, state, runDir, damaged, alike });
}

/**
 * Finds the id of the run that a person calls `invoices#3`, `invoices` or by a path of that plan (its newest), or by its
 * id or the beginning of that.
 */
export function runCalled(paths: Paths, name: string, place?: Place): Result<string, Failure<"no-run">> {
  // An id needs no other run to be read.
  if (listRuns(paths).includes(name)) return ok(name);
  const runs = namedStandingRuns(paths);
  const called = runsCalled(runs, name);
  const [only, ...others] = called.length === 0 ? ofPlanAt(runs, name, place) : called;
  if (only === undefined)
    return fail(
      "no-run",
      `no run ${name}. ${runs.length === 0 ? "There are none yet." : `There are: ${listed(runs)}`}`,
    );
  if (others.length === 0) return ok(only.run);
  return fail("no-run", `several runs begin with ${name}. Name one of: ${listed([only, ...others])}`);
}

/** Finds the newest run of the plan whose path was typed. */
function ofPlanAt(runs: readonly NamedRun[], typed: string, place: Place | undefined): NamedRun[] {
  if (place === undefined || !/\/|\.md$|^\.\.?$/.test(typed)) return [];
  const name = planNameIn(typed, place);
  return runs.filter(({ plan }) => plan === name).slice(-1);
}

/** Names runs for people, oldest first; where there are many, only the newest. */
export function listed(runs: readonly NamedRun[]): string {
  const newest = runs.slice(-projectLimits.runsNamedMax);
  const older = runs.length > newest.length ? ` and ${runs.length - newest.length} older ones` : "";
  return `${newest.map(runName).join(", ")}${older}`;
}

/** The sentence that follows the warnings, which name the damaged journals. */
export const unreadable = "that run cannot be read";

/** Whether a run has a task of this id, or had it until a revision removed it. */
export function hasTask({ tasks, replanning }: RunState, id: string): boolean {
  return tasks.has(id) || replanning.retired.has(id);
}

function newestRun<Run extends Pick<ReadRun, "id" | "state">>(
  { runs, damaged }: FoundRuns<Run>,
  task: string | undefined,
): Pick<OpenedRun, "damaged" | "alike"> & { readonly found: Result<Run | undefined> } {
  const isMeant = (state: RunState) => task !== undefined && hasTask(state, task);
  const newest = runs.findLast(({ state }) => isMeant(state)) ?? runs.at(-1);
  const found = newest === undefined && damaged.length > 0 ? fail("unread", unreadable) : ok(newest);
  const alike = unfinishedRuns(runs).filter((state) => isMeant(state) && state.run !== newest?.id);
  return { found, damaged, alike };
}

function without(failure: Failure, damaged: readonly string[] = []): Result<never, NoRunToRead> {
  return { ok: false, failure: { ...failure, damaged } };
}
