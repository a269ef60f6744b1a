import type { Config } from "../config/load.ts";
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Outcome } from "../engine/session.ts";
import { pinInUserRepo } from "../git/control.ts";
import { head } from "../git/user-repo.ts";
import type { Lock } from "../journal/lock.ts";
import { idRule, isId } from "../plan/ids.ts";
import { isLegible, isQuickPlan, slugOf } from "../plan/quick-plan.ts";
import type { DraftProblem } from "./machine/assessment.ts";
import type { PlanningState } from "./machine/state.ts";
import { fail, ok, type Result } from "../base/result.ts";
import { planningPaths } from "../project/paths.ts";
import { realMachine } from "../project/machine.ts";
import type { Project } from "../project/project.ts";
import type { Listener } from "../agents/real-sessions.ts";
import { newRunId } from "../project/runs.ts";
import type { Dialog, PlanningObserver } from "./ports.ts";
import { readFolder, writeFolder } from "./documents.ts";
import { readInputs } from "./inputs.ts";
import { openedPlanning } from "./real-ports.ts";
import { listPlannings, lockPlanning, readPlanning } from "./sessions-on-disk.ts";
import { openPlanningJournal } from "./journal.ts";
import { planningSettings, type PlanningSettings } from "./settings.ts";
import { readStanding, type StandingPlan } from "./standing-plan.ts";

/** What somebody wants a plan for. */
export interface PlanningRequest {
  readonly goal: string;
  readonly name?: string;
  /** Paths as typed, relative to `cwd`. */
  readonly inputs: readonly string[];
  readonly cwd: string;
  readonly headless: boolean;
  readonly revises: { readonly plan: string; readonly run: string | null; readonly words: string } | null;
}

/** A planning that this process drives. */
export interface OpenedPlanning {
  readonly id: string;
  readonly plan: string;
  readonly folder: string;
  /** How its agents and checks are confined. */
  readonly sandboxWord: string | undefined;
  /** That its agents are chosen by. */
  readonly config: Config;
  /** As all that happened so far makes it; it changes while the planning is driven. */
  readonly state: PlanningState;
  readonly drive: (options: {
    readonly dialog: Dialog | null;
    readonly observe: PlanningObserver;
    readonly hear?: Listener;
    readonly signal: AbortSignal;
  }) => Promise<PlanningEnd>;
  /** Ends the session that a dead process recorded, and records what it used. */
  readonly settle: (signal: AbortSignal) => Promise<void>;
  /** Ends it for good, without a plan. */
  readonly giveUp: (signal: AbortSignal) => Promise<void>;
  readonly close: () => void;
}

/** Where a planning stopped; `waits` and `failed` can be gone on with. */
export type PlanningEnd =
  | { readonly kind: "handed-over"; readonly paths: readonly string[]; readonly problems: readonly DraftProblem[] }
  | { readonly kind: "waits"; readonly for: "answers" | "word" }
  | { readonly kind: "rejected" }
  | { readonly kind: "interrupted" }
  | { readonly kind: "failed"; readonly why: string; readonly outcome: Outcome | null };

/** Begins a planning on the commit that is checked out, or on the tip of the run whose plan is revised. */
export async function beginPlanning(project: Project, request: PlanningRequest): Promise<Result<OpenedPlanning>> {
  const { goal, headless, revises } = request;
  if (!isLegible(goal))
    return fail("goal", 'the goal is empty: say in words what is wanted, as in stint plan "<goal>"');
  const plan = nameOf(project, request);
  if (!plan.ok) return plan;
  const inputs = await readInputs(request.inputs, request.cwd);
  if (!inputs.ok) return inputs;
  const standing = revises === null ? ok(null) : await readStanding(project, revises);
  if (!standing.ok) return standing;
  const checkedOut = (await head(project.repo)).sha;
  const base = standing.value?.base ?? checkedOut;
  const settings = await planningSettings(project, { commit: base, base });
  if (!settings.ok) return settings;
  const id = newRunId(plan.value, realMachine.clock.now(), randomBytes(2).toString("hex"));
  return await underLock(project, id, async (lock) => {
    const paths = planningPaths(project.paths, id);
    await mkdir(paths.dir, { recursive: true, mode: 0o700 });
    // The tip of a run is kept by the run; what is checked out may be amended away and collected.
    if (base === checkedOut) await pinInUserRepo(project.repo, `refs/stint/keep/${id}/base`, base);
    await writeFolder(paths.inputs, withoutPrefix(inputs.value));
    const opened = openPlanningJournal(paths.journal);
    if (!opened.ok) return opened;
    const revised = revises === null ? null : { run: revises.run, words: revises.words };
    const names = [...inputs.value.keys()];
    const begun = {
      type: "planning-started",
      planning: id,
      plan: plan.value,
      goal,
      base,
      inputs: names,
      headless,
      revises: revised,
    } as const;
    const context = { project, settings: settings.value, paths, inputs: inputs.value, standing: standing.value, lock };
    return ok(openedPlanning({ ...context, opened: opened.value, first: begun }));
  });
}

/** Takes up the newest planning that is not over, of one plan or of all. */
export async function continuePlanning(
  project: Project,
  options: { readonly plan?: string; readonly headless: boolean },
): Promise<Result<OpenedPlanning>> {
  const found = newestOpen(project, options.plan);
  if (!found.ok) return found;
  return await underLock(project, found.value, async (lock) => {
    const paths = planningPaths(project.paths, found.value);
    const opened = openPlanningJournal(paths.journal);
    if (!opened.ok) return opened;
    const { journal, state } = opened.value;
    const isOpen = state !== undefined && state.over === null;
    const context = isOpen ? await contextOf(project, state) : fail("no-planning", noPlanning);
    if (!context.ok) {
      journal.close();
      return context;
    }
    const inputs = new Map([...(await readFolder(paths.inputs))].map(([name, bytes]) => [`inputs/${name}`, bytes]));
    const goesOn = { type: "planning-continued", pid: process.pid, headless: options.headless } as const;
    return ok(openedPlanning({ project, ...context.value, paths, inputs, lock, opened: opened.value, first: goesOn }));
  });
}

const noPlanning = 'no planning is under way. Begin one: stint plan "<goal>"';

/** A planning that another process took up or ended meanwhile is seen by its lock, or by its journal. */
async function underLock(
  project: Project,
  id: string,
  open: (lock: Lock) => Promise<Result<OpenedPlanning>>,
): Promise<Result<OpenedPlanning>> {
  const lock = lockPlanning(project.paths, id, `stint plans in ${id}`);
  if (!lock.ok) return lock;
  let opened: Result<OpenedPlanning> | undefined;
  try {
    opened = await open(lock.value);
    return opened;
  } finally {
    if (opened?.ok !== true) lock.value.release();
  }
}

function newestOpen({ paths }: Project, plan: string | undefined): Result<string> {
  for (const id of listPlannings(paths, plan).toReversed()) {
    const read = readPlanning(paths, id);
    if (!read.ok) return read;
    if (read.value.state !== undefined && read.value.state.over === null) return ok(id);
  }
  return fail(
    "no-planning",
    plan === undefined ? noPlanning : `no planning of ${plan} is under way. Begin one: stint plan "<goal>"`,
  );
}

async function contextOf(
  project: Project,
  { base, plan, revises }: PlanningState,
): Promise<Result<{ readonly settings: PlanningSettings; readonly standing: StandingPlan | null }>> {
  // What is wrong with the settings is mended by a commit; those of a run are the approved ones.
  const commit = (revises?.run ?? null) === null ? (await head(project.repo)).sha : base;
  const settings = await planningSettings(project, { commit, base });
  if (!settings.ok) return settings;
  const standing = revises === null ? ok(null) : await readStanding(project, { plan, run: revises.run, base });
  return standing.ok ? ok({ settings: settings.value, standing: standing.value }) : standing;
}

/** As typed, else made from the goal's words and from nothing that is there. */
function nameOf(project: Project, { goal, name, revises }: PlanningRequest): Result<string> {
  if (revises !== null) return ok(revises.plan);
  const { root } = project.repo;
  const under = new Set(openNames(project));
  const isTaken = (plan: string) => existsSync(join(root, "plans", plan)) || under.has(plan);
  if (name === undefined) return ok(freeName(slugOf(goal) || "plan", isTaken));
  if (!isId(name) || isQuickPlan(name))
    return fail("name", `--name ${JSON.stringify(name)} cannot be the name of a plan: ${idRule}`);
  if (existsSync(join(root, "plans", name)))
    return fail("name", `plans/${name} exists. Choose another --name, or revise it: stint plan --revise "…" ${name}`);
  if (under.has(name))
    return fail(
      "name",
      `plan ${name} is being made: go on with \`stint plan --continue ${name}\`, or choose another --name`,
    );
  return ok(name);
}

function freeName(slug: string, isTaken: (plan: string) => boolean): string {
  let name = slug;
  for (let again = 2; isTaken(name) || isQuickPlan(name); again++) name = `${slug}-${again}`;
  return name;
}

/** Names of plans that are being made. */
function openNames({ paths }: Project): string[] {
  return listPlannings(paths).flatMap((id) => {
    const read = readPlanning(paths, id);
    return read.ok && read.value.state?.over === null ? [read.value.state.plan] : [];
  });
}

function withoutPrefix(inputs: ReadonlyMap<string, Uint8Array>): Map<string, Uint8Array> {
  return new Map([...inputs].map(([name, bytes]) => [name.replace(/^inputs\//, ""), bytes]));
}
