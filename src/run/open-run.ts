import { randomBytes } from "node:crypto";
import { mkdirSync } from "node:fs";
import type { RunEvent } from "../engine/events.ts";
import { stillAsked } from "../engine/asked.ts";
import type { RunState } from "../engine/state.ts";
import { isPlanOf } from "../engine/revise.ts";
import { pinInUserRepo } from "../git/control.ts";
import type { Identity } from "../git/names.ts";
import { listTree } from "../git/objects.ts";
import { compareAndSwapRef } from "../git/refs.ts";
import { identity } from "../git/user-repo.ts";
import type { Hooks } from "../hooks/hooks.ts";
import type { Journal } from "../journal/journal.ts";
import type { Redactor } from "../base/redact.ts";
import { fail, ok, type Result } from "../base/result.ts";
import type { FoundSandbox } from "../sandbox/find.ts";
import { openActivityBoard, type ActivityBoard } from "./activity.ts";
import { compareWithGit } from "./as-journaled.ts";
import { readApproval, type Approval } from "../approval/approvals.ts";
import { type Ready, type PlanReading, type ReadingFlags } from "../approval/committed-plan.ts";
import { plansOfRun, withApprovedSettings } from "../approval/approved-settings.ts";
import { askedBefore, settingsOf, specsOf } from "../approval/frozen-plan.ts";
import { runPaths, runRef } from "../project/paths.ts";
import { realMachine } from "../project/machine.ts";
import type { ClockPort } from "../project/clock.ts";
import { planInForce } from "../approval/plan-in-force.ts";
import type { Project } from "../project/project.ts";
import { among, namedPrograms, whyProgramsDiffer } from "../approval/programs.ts";
import { findProjectSandbox } from "../project/project-sandbox.ts";
import { realPorts } from "./real-ports.ts";
import { projectRedactor } from "../agents/redaction.ts";
import { type Listener, whyNoAgent } from "../agents/real-sessions.ts";
import type { Run } from "./run.ts";
import { openRunHooks } from "./run-hooks.ts";
import { leaveReport } from "./run-report.ts";
import type { RunEntry } from "../hooks/run-entry.ts";
import { newRunId, timeForRun } from "../project/runs.ts";
import { assembleRun, beginJournal, openState, takeUp, type Observer, type OpenedState } from "./take-up.ts";

/** A run that this process drives. */
export interface OpenedRun {
  readonly run: Run;
  /** How agents and checks are confined, for people. */
  readonly confinement: string;
  readonly audience: Audience;
  readonly activity: ActivityBoard;
  readonly paths: ReturnType<typeof runPaths>;
  /**
   * Returns where the report lies; undefined where it could not be written.
   * Hooks get a while to hear the rest, a short one once the signal aborts.
   */
  readonly close: (signal: AbortSignal) => Promise<string | undefined>;
}

/** Who is told of what happens; whoever shows the run in another way takes the place. */
export interface Audience {
  observe: Observer;
  hear: Listener | undefined;
  warn: ((message: string) => void) | undefined;
}

export type { Observer };

interface OpenOptions {
  /** Those that `ready` was read with, too. */
  readonly flags: ReadingFlags;
  /** The tasks that agents may work on, null for all; a run that is taken up without it goes on with what was asked for. */
  readonly only?: readonly string[] | null | undefined;
  readonly observe: Observer;
  /** Told of what agents say about themselves while they work. */
  readonly hear?: Listener;
  /** Told of what goes wrong beside the run, and cannot stop it. */
  readonly warn?: (message: string) => void;
  /** The wall clock, unless a test lets a night pass in minutes. */
  readonly clock?: ClockPort;
}

/** Begins a new run of an approved plan on a commit; the caller holds the plan's lock. */
export async function startRun(
  project: Project,
  ready: Ready,
  options: OpenOptions & { readonly approval: Approval; readonly base: string; readonly sandbox: FoundSandbox },
): Promise<Result<OpenedRun>> {
  const { approval, base, sandbox, observe, hear, warn, flags, only = null, clock = realMachine.clock } = options;
  const who = await identity(project.repo);
  if (!who.ok) return who;
  const id = newRunId(ready.plan.name, timeForRun(project.paths, clock.now()), randomBytes(2).toString("hex"));
  mkdirSync(runPaths(project.paths, id).dir, { recursive: true, mode: 0o700 });
  await pinInUserRepo(project.repo, `refs/stint/keep/${id}/base`, base);
  const created = await compareAndSwapRef(project.control, runRef(id), { next: base, old: null });
  if (created !== "moved") return fail("run-exists", `run ${id} exists already. Try again.`);
  const tree = (await listTree(project.control, base)).map(({ path }) => path);
  const events: RunEvent[] = [
    approved(approval),
    {
      type: "run-started",
      run: id,
      plan: ready.plan.name,
      title: ready.plan.title,
      goal: ready.plan.goal,
      planHash: ready.hash,
      base,
      branch: ready.rules.branch.replaceAll("{plan}", ready.plan.name),
      settings: { ...settingsOf(ready, flags), only },
      tasks: specsOf(ready.plan, tree),
    },
  ];
  const redact = await projectRedactor(project, ready.config);
  const audience: Audience = { observe, hear, warn };
  const hooks = openRunHooks(project, { ready, run: id, entries: [], approval, redact, audience });
  const path = runPaths(project.paths, id).journal;
  const begun = beginJournal({ ...realMachine, clock }, { path, observe: all(audience, hooks) }, events);
  if (!begun.ok) return begun;
  const opening = { ...begun.value, ready, redact, hooks, audience, identity: who.value, sandbox, clock };
  return ok(assemble(project, opening));
}

/** Takes up a run where its journal ends; the caller holds the plan's lock. */
export async function continueRun(project: Project, id: string, options: OpenOptions): Promise<Result<OpenedRun>> {
  const opened = openState(realMachine, runPaths(project.paths, id).journal);
  if (!opened.ok) return opened;
  let run: Result<OpenedRun> | undefined;
  try {
    run = await goOnFrom(project, opened.value, options);
    return run;
  } finally {
    if (run?.ok !== true) opened.value.journal.close();
  }
}

async function goOnFrom(project: Project, opened: OpenedState, options: OpenOptions): Promise<Result<OpenedRun>> {
  const { observe, hear, warn, clock = realMachine.clock } = options;
  const { journal, state } = opened;
  const id = state.run;
  const who = await identity(project.repo);
  if (!who.ok) return who;
  const found = await compareWithGit(project, state);
  if (!found.ok) return found;
  const { only = stillAsked(state) } = options;
  const flags = { ...askedBefore(state.settings), ...options.flags };
  const plans = await plansOfRun(project, state, flags);
  const executed = planInForce(state, plans);
  if (!executed.ok) return executed;
  const approval = readApproval(project.paths, state.plan);
  const { ready, isApproved } = await withApprovedSettings(project, { ...plans, approval, flags });
  const unfit = whyUnfit({ ...ready, ...executed.value }, project.env, only);
  if (unfit !== undefined) return fail("settings", unfit);
  if (approval !== undefined) {
    const now = namedPrograms(ready.config, project.repo.root);
    const differ = whyProgramsDiffer(isApproved ? approval.programs : among(approval.programs, now), now, state.plan);
    if (differ !== undefined) return fail("unapproved", differ);
  }
  const sandbox = await findProjectSandbox(project, ready.config);
  if (!sandbox.ok) return sandbox;
  const redact = await projectRedactor(project, ready.config);
  const entries = opened.entries as readonly RunEntry[];
  const audience: Audience = { observe, hear, warn };
  const told = { ready: { ...ready, ...executed.value }, run: id, entries, approval, redact, audience };
  const assembled = assemble(project, {
    hooks: openRunHooks(project, told),
    ready: told.ready,
    journal,
    state,
    redact,
    audience,
    identity: who.value,
    sandbox: sandbox.value,
    clock,
  });
  const { run } = assembled;
  try {
    if (approval !== undefined && isApproved && !isPlanOf(state, approval.hash)) run.append(approved(approval));
    await takeUp(run, opened, { ...settingsOf(ready, flags), only });
    found.value.lost.forEach((event) => run.append(event));
    return ok(assembled);
  } catch (error) {
    await assembled.close(AbortSignal.abort());
    throw error;
  }
}

/** The user's own settings may have changed since the run was started; work by hand needs no agent. */
function whyUnfit(ready: PlanReading, env: NodeJS.ProcessEnv, only: readonly string[] | null): string | undefined {
  const error = ready.problems.find((problem) => problem.severity === "error");
  if (error !== undefined) return `${error.file}:${error.line}:${error.column}: error: ${error.message}`;
  const { plan } = ready;
  return plan === undefined || only?.length === 0 ? undefined : whyNoAgent({ ...ready, plan }, env);
}

interface Opening {
  readonly ready: Ready;
  readonly journal: Journal;
  readonly state: RunState;
  readonly audience: Audience;
  readonly hooks: Hooks;
  readonly redact: Redactor;
  readonly identity: Identity;
  readonly sandbox: FoundSandbox;
  readonly clock: ClockPort;
}

function approved({ plan, hash, at, by }: Approval): RunEvent {
  return { type: "plan-approved", plan, planHash: hash, approvedAt: at, by };
}

/** Those who look on, whoever they are when something happens, then the hooks. */
function all(audience: Audience, hooks: Hooks): Observer {
  return (entry) => {
    audience.observe(entry);
    hooks.hear(entry);
  };
}

function assemble(project: Project, opening: Opening): OpenedRun {
  const { ready, journal, state, audience, hooks, redact, identity, sandbox, clock } = opening;
  const { config, plan, rules, prompts, files: documents } = ready;
  const paths = runPaths(project.paths, state.run);
  const hear: Listener = (key, event) => {
    activity.hear(key, event);
    audience.hear?.(key, redact.value(event));
  };
  const ports = realPorts(project, { config, prompts, state, identity, sandbox: sandbox.sandbox, clock, redact, hear });
  const run = assembleRun({
    plan,
    rules,
    prompts,
    documents,
    setup: config.workspace.setup ?? "",
    ports,
    state,
    pid: process.pid,
    journal,
    observe: all(audience, hooks),
    redact,
  });
  const activity = openActivityBoard({ state, live: run.live, paths, redact });
  const close: OpenedRun["close"] = async (signal) => {
    activity.close();
    run.endNotes();
    journal.close();
    // Before the hooks are waited for: whoever is told that the run is over looks at its report.
    const report = leaveReport(project.paths, state.run);
    await hooks.end(signal);
    return report;
  };
  return { run, confinement: sandbox.word, audience, activity, paths, close };
}
