import type { Config } from "../../config/load.ts";
import { exitCodes } from "../../engine/exit-code.ts";
import type { RunState } from "../../engine/state.ts";
import { layoutOf, runLayout, type Layout } from "../../host/layout.ts";
import { openProject, type Project } from "../../host/project.ts";
import { findProjectSandbox, type FoundSandbox } from "../../host/project-sandbox.ts";
import { findRuns, listRuns, readRun, type RunEntry, type StartedRun } from "../../host/runs.ts";
import { ensureStateFolders } from "../../host/state-folder.ts";
import { openUserRepo, type UserRepo } from "../../git/user-repo.ts";
import { listPlans } from "../../plan/read.ts";
import { ok } from "../../result.ts";
import { warn, type Io } from "../io.ts";

/** A refusal with the exit code it ends in. */
export interface Refusal {
  readonly reason: string;
  readonly code: number;
  readonly message: string;
}
export type Selected<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly failure: Refusal };

export function refusal(code: number, message: string): { readonly ok: false; readonly failure: Refusal } {
  return { ok: false, failure: { reason: "refused", code, message } };
}

export async function project(io: Io): Promise<Selected<Project>> {
  const opened = await openProject(io.cwd, io.env);
  return opened.ok ? opened : refusal(exitCodes.internal, opened.failure.message);
}

/** The repository around the current folder and the plan that is meant. */
export async function projectAndPlan(
  io: Io,
  name: string | undefined,
): Promise<Selected<{ readonly project: Project; readonly plan: string }>> {
  const opened = await project(io);
  if (!opened.ok) return opened;
  const plan = selectPlan(opened.value.repo.root, name);
  return plan.ok ? ok({ project: opened.value, plan: plan.value }) : plan;
}

/** The named plan, or the only one; otherwise the list to choose from. */
function selectPlan(root: string, name: string | undefined): Selected<string> {
  const plans = listPlans(root);
  if (name !== undefined) {
    if (plans.includes(name)) return ok(name);
    const known = plans.length === 0 ? "There is none in plans/." : `There are: ${plans.join(", ")}`;
    return refusal(exitCodes.usage, `no plan ${name}. ${known}`);
  }
  const [only, ...others] = plans;
  if (only === undefined)
    return refusal(exitCodes.usage, "no plan: write plans/<name>/plan.md first (docs/formats.md says how)");
  return others.length === 0 ? ok(only) : refusal(exitCodes.usage, `which plan? Name one of: ${plans.join(", ")}`);
}

/** How agents and checks of the project are confined, or why they cannot be as the settings want it. */
export async function projectSandbox(project: Project, config: Config): Promise<Selected<FoundSandbox>> {
  const found = await findProjectSandbox(project, config);
  if (found.ok) return found;
  const code = found.failure.reason === "no-mount" ? exitCodes.usage : exitCodes.internal;
  return refusal(code, found.failure.message);
}

export interface RunToRead {
  readonly repo: UserRepo;
  readonly layout: Layout;
  readonly state: RunState;
  readonly entries: readonly RunEntry[];
  readonly runDir: string;
}

/** A run by id, or the newest; read without taking part in it. */
export async function openRunToRead(io: Io, id: string | undefined): Promise<Selected<RunToRead>> {
  const repo = await openUserRepo(io.cwd);
  if (!repo.ok) return refusal(exitCodes.internal, repo.failure.message);
  const layout = layoutOf(repo.value.commonDir, io.env);
  const folders = ensureStateFolders(layout);
  if (!folders.ok) return refusal(exitCodes.internal, folders.failure.message);
  if (id !== undefined && !listRuns(layout).includes(id))
    return refusal(exitCodes.usage, `no run ${id}. ${known(layout)}`);
  const found = id === undefined ? findNewest(io, layout) : readRun(layout, id);
  if (!found.ok) return refusal(exitCodes.internal, found.failure.message);
  const state = found.value?.state;
  if (found.value === undefined || state === undefined) {
    return refusal(exitCodes.usage, "no run yet. Start one with `stint run`.");
  }
  return ok({
    repo: repo.value,
    layout,
    state,
    entries: found.value.entries,
    runDir: runLayout(layout, state.run).dir,
  });
}

export interface RunToCommand {
  readonly project: Project;
  readonly state: RunState;
}

/** The run that a command is for: the named one, or that of the only plan whose newest run is not finished. */
export async function openRunToCommand(io: Io, id: string | undefined): Promise<Selected<RunToCommand>> {
  const opened = await project(io);
  if (!opened.ok) return opened;
  const { layout } = opened.value;
  const { runs, damaged } = findRuns(layout);
  for (const why of damaged) warn(io, why);
  if (id !== undefined) {
    const named = runs.find((run) => run.id === id);
    if (named !== undefined) return ok({ project: opened.value, state: named.state });
    if (damaged.length > 0 && listRuns(layout).includes(id)) return refusal(exitCodes.internal, unreadable);
    return refusal(exitCodes.usage, `no run ${id}. ${known(layout)}`);
  }
  const newest = new Map(runs.map(({ state }) => [state.plan, state]));
  const [only, ...others] = [...newest.values()].filter((state) => state.finished === null);
  if (only === undefined && damaged.length > 0) return refusal(exitCodes.internal, unreadable);
  if (only === undefined) return refusal(exitCodes.usage, "no run is unfinished. `stint run` starts one.");
  if (others.length === 0) return ok({ project: opened.value, state: only });
  const list = [only, ...others].map(({ run }) => run).join(", ");
  return refusal(exitCodes.usage, `which run? Name one with --run: ${list}`);
}

function findNewest(io: Io, layout: Layout): Selected<StartedRun | undefined> {
  const { runs, damaged } = findRuns(layout);
  for (const why of damaged) warn(io, why);
  const newest = runs.at(-1);
  return newest === undefined && damaged.length > 0 ? refusal(exitCodes.internal, unreadable) : ok(newest);
}

/** Said after the warnings that name the damaged journals. */
const unreadable = "the run that is meant cannot be read";

function known(layout: Layout): string {
  const runs = listRuns(layout);
  return runs.length === 0 ? "There is none yet." : `There are: ${runs.join(", ")}`;
}
