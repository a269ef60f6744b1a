import { randomBytes } from "node:crypto";
import { mkdir } from "node:fs/promises";
import type { Listener } from "../agents/real-sessions.ts";
import type { Redactor } from "../base/redact.ts";
import { fail, ok, type Result } from "../base/result.ts";
import type { Config } from "../config/load.ts";
import { pinInUserRepo } from "../git/control.ts";
import { head } from "../git/user-repo.ts";
import type { Lock } from "../journal/lock.ts";
import { isLegible } from "../plan/quick-plan.ts";
import { realMachine } from "../project/machine.ts";
import { planningPaths } from "../project/paths.ts";
import type { Project } from "../project/project.ts";
import { newRunId } from "../project/runs.ts";
import { choosePlanName } from "./choose-name.ts";
import { readFolder, writeFolder } from "./draft-files.ts";
import type { CommandWatch } from "../checks/running-command.ts";
import { drivePlanning } from "./drive.ts";
import { readInputs } from "./inputs.ts";
import { openPlanningJournal, recordPlanning, type PlanningJournal } from "./journal.ts";
import type { PlanningEvent } from "./machine/events.ts";
import type { PlanningState } from "./machine/state.ts";
import type { PlanningEnd, PlanningSession } from "./planning-session.ts";
import type { Dialog, PlannerSession, PlanningObserver } from "./ports.ts";
import { realPlanningPorts, type PlanningContext } from "./real-ports.ts";
import { listPlanningSessions, lockPlanningSession, readPlanningSession } from "./sessions-on-disk.ts";
import { planningSettings } from "./settings.ts";
import { readStandingPlan } from "./standing-plan.ts";
import { endSession } from "./steps/session.ts";

/** What a person wants a plan for. */
interface PlanningRequest {
  readonly goal: string;
  readonly name?: string;
  /** Paths as typed, relative to `cwd`. */
  readonly inputs: readonly string[];
  readonly cwd: string;
  readonly headless: boolean;
  readonly revises: { readonly plan: string; readonly run: string | null; readonly words: string } | null;
}

/** A planning session that this process drives. */
export interface OpenedPlanning {
  readonly id: string;
  readonly plan: string;
  readonly folder: string;
  /** The file of what a session prints. */
  readonly outputOf: (session: Pick<PlannerSession, "session" | "phase">) => string;
  readonly redact: Redactor;
  /** How its agents and checks are confined. */
  readonly sandboxWord: string | undefined;
  /** The settings that choose its agents. */
  readonly config: Config;
  /** Changes while the planning session is driven. */
  readonly state: PlanningState;
  readonly drive: (options: Driving & { readonly observe: PlanningObserver }) => Promise<PlanningEnd>;
  /** Ends the session that a dead process recorded, and records what it used. */
  readonly settle: (signal: AbortSignal) => Promise<void>;
  /** Ends the planning session for good, without a plan. */
  readonly giveUp: (signal: AbortSignal) => Promise<void>;
  readonly close: () => void;
}

/** Starts a planning session on the commit that is checked out, or on the tip of the run whose plan is revised. */
export async function startPlanning(project: Project, request: PlanningRequest): Promise<Result<OpenedPlanning>> {
  const { goal, headless, revises } = request;
  if (!isLegible(goal)) return fail("goal", 'the goal is empty. Say what you want: stint plan "<goal>"');
  const plan = revises === null ? choosePlanName(project, request) : ok(revises.plan);
  if (!plan.ok) return plan;
  const inputs = await readInputs(request.inputs, request.cwd);
  if (!inputs.ok) return inputs;
  const standing = revises === null ? ok(null) : await readStandingPlan(project, revises);
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
    const journal = openPlanningJournal(paths.journal);
    if (!journal.ok) return journal;
    const names = [...inputs.value.keys()];
    const revised = revises === null ? null : { run: revises.run, words: revises.words };
    const about = { planning: id, plan: plan.value, goal, base, inputs: names, headless, revises: revised };
    const context = { project, settings: settings.value, paths, inputs: inputs.value, standing: standing.value };
    const first = { type: "planning-started", ...about } as const;
    return ok(assemblePlanning(context, { journal: journal.value, first, lock }));
  });
}

/** Resumes the newest unfinished planning session, of one plan or of all. */
export async function resumePlanning(
  project: Project,
  options: { readonly plan?: string; readonly headless: boolean },
): Promise<Result<OpenedPlanning>> {
  const found = newestUnfinished(project, options.plan);
  if (!found.ok) return found;
  return await underLock(project, found.value, async (lock) => {
    const paths = planningPaths(project.paths, found.value);
    const journal = openPlanningJournal(paths.journal);
    if (!journal.ok) return journal;
    const { state } = journal.value;
    const isUnfinished = state !== undefined && state.over === null;
    const context = isUnfinished ? await contextOf(project, state) : fail("no-planning", noPlanning);
    if (!context.ok) {
      journal.value.journal.close();
      return context;
    }
    const inputs = new Map([...(await readFolder(paths.inputs))].map(([name, bytes]) => [`inputs/${name}`, bytes]));
    const first = { type: "planning-continued", pid: process.pid, headless: options.headless } as const;
    return ok(assemblePlanning({ project, ...context.value, paths, inputs }, { journal: journal.value, first, lock }));
  });
}

interface Driving {
  readonly dialog: Dialog | null;
  readonly hear?: Listener;
  readonly watch?: CommandWatch;
  readonly signal: AbortSignal;
}

/** Records the first event of this process, and returns what it can do with the planning session. */
export function assemblePlanning(
  context: PlanningContext,
  opened: { readonly journal: PlanningJournal; readonly first: PlanningEvent; readonly lock: Lock },
): OpenedPlanning {
  const { settings, paths } = context;
  const { state, append, watch } = recordPlanning(opened.journal, { first: opened.first, redact: settings.redact });
  const { prompts, rules, project: facts } = settings;
  const materials = {
    prompts,
    project: facts,
    rules,
    inputs: context.inputs,
    revision: context.standing?.briefing ?? null,
  };
  const session = (driving: Driving): PlanningSession => {
    const { signal, dialog, hear = ignore, watch } = driving;
    const ports = realPlanningPorts(context, { state, dialog, hear, watch, signal });
    return { state, append, paths, materials, ports, signal, assessed: null };
  };
  const settle = async (signal: AbortSignal) => {
    if (state.open !== null) await endSession(session({ dialog: null, signal }), state.open);
  };
  return {
    id: state.planning,
    plan: state.plan,
    folder: paths.dir,
    outputOf: ({ session, phase }) => paths.session(session, phase).output,
    redact: settings.redact,
    sandboxWord: settings.sandboxWord,
    config: settings.config,
    state,
    drive: async (options) => {
      watch(options.observe);
      return await drivePlanning(session(options));
    },
    settle,
    giveUp: async (signal) => {
      await settle(signal);
      if (state.over === null) append({ type: "planning-ended", why: "rejected", words: "given up" });
    },
    close: () => {
      opened.journal.journal.close();
      opened.lock.release();
    },
  };
}

function ignore(): void {
  // The caller shows nothing of what agents print.
}

const noPlanning = 'no unfinished planning session. Start one: `stint plan "<goal>"`';

/** Releases the lock unless the planning session was opened: from then on `close` does. */
async function underLock(
  project: Project,
  id: string,
  open: (lock: Lock) => Promise<Result<OpenedPlanning>>,
): Promise<Result<OpenedPlanning>> {
  const lock = lockPlanningSession(project.paths, id, `stint plans in ${id}`);
  if (!lock.ok) return lock;
  let opened: Result<OpenedPlanning> | undefined;
  try {
    opened = await open(lock.value);
    return opened;
  } finally {
    if (opened?.ok !== true) lock.value.release();
  }
}

function newestUnfinished({ paths }: Project, plan: string | undefined): Result<string> {
  for (const id of listPlanningSessions(paths, plan).toReversed()) {
    const read = readPlanningSession(paths, id);
    if (!read.ok) return read;
    if (read.value.state !== undefined && read.value.state.over === null) return ok(id);
  }
  const ofPlan = `no unfinished planning session of ${plan}. Start one: \`stint plan "<goal>"\``;
  return fail("no-planning", plan === undefined ? noPlanning : ofPlan);
}

async function contextOf(
  project: Project,
  { base, plan, revises }: PlanningState,
): Promise<Result<Pick<PlanningContext, "settings" | "standing">>> {
  // A commit fixes wrong settings; those of a run are the approved ones.
  const commit = (revises?.run ?? null) === null ? (await head(project.repo)).sha : base;
  const settings = await planningSettings(project, { commit, base });
  if (!settings.ok) return settings;
  const standing = revises === null ? ok(null) : await readStandingPlan(project, { plan, run: revises.run, base });
  return standing.ok ? ok({ settings: settings.value, standing: standing.value }) : standing;
}

function withoutPrefix(inputs: ReadonlyMap<string, Uint8Array>): Map<string, Uint8Array> {
  return new Map([...inputs].map(([name, bytes]) => [name.replace(/^inputs\//, ""), bytes]));
}
