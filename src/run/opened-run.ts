import { resumeCommand, runName, type NamedRun } from "../engine/run-name.ts";
import type { RunEvent } from "../engine/events.ts";
import type { RunState } from "../engine/state.ts";
import type { Identity } from "../git/names.ts";
import { whyUnpublishable } from "../git/publish.ts";
import { openHooks, type Hooks } from "../hooks/hooks.ts";
import type { Journal } from "../journal/journal.ts";
import type { Redactor } from "../base/redact.ts";
import type { FoundSandbox } from "../sandbox/find.ts";
import type { Listener } from "../agents/real-sessions.ts";
import type { Approval } from "../approval/approvals.ts";
import type { Ready, ReadingFlags } from "../approval/committed-plan.ts";
import type { ClockPort } from "../project/machine.ts";
import { runPaths } from "../project/paths.ts";
import type { Project } from "../project/project.ts";
import type { CommandWatch } from "../checks/running-command.ts";
import { openActivityBoard, type ActivityBoard, type PlannerEar } from "./activity.ts";
import { drive, type DriveOptions } from "./drive.ts";
import { realPorts } from "./real-ports.ts";
import type { Run } from "./run.ts";
import { assembleRun, type Observer } from "./run-journal.ts";
import { leaveReport } from "./run-report.ts";
import { whyHookDiffers } from "../approval/programs.ts";
import type { RunEntry } from "../hooks/run-entry.ts";

/** A run that this process drives. */
export interface OpenedRun {
  readonly run: Run;
  /** How agents and checks are confined, for people. */
  readonly confinement: string;
  /** Why the user's branch could not follow the run when it was opened. */
  readonly branchProblem: string | undefined;
  readonly audience: Audience;
  readonly activity: ActivityBoard;
  readonly paths: ReturnType<typeof runPaths>;
  /**
   * Returns the path of the report; undefined where it could not be written.
   * Hooks get a while to hear the rest, a short one once the signal aborts.
   */
  readonly close: (signal: AbortSignal) => Promise<string | undefined>;
}

/** Warns before the first session, and returns why, if the user's branch could not follow the run; later, publishing itself says so. */
export async function warnOfBranch(
  { repo, control }: Project,
  state: RunState,
  listener: RunListener,
): Promise<string | undefined> {
  const { branch, base, tip } = state;
  const resume = resumeCommand(state);
  const why = tip === base ? await whyUnpublishable(repo, control, { branch, base, resume }) : undefined;
  if (why !== undefined) listener.warn?.(why);
  return why;
}

/** What a front end hears of a run. */
export interface RunListener {
  readonly observe: Observer;
  /** Hears what agents say about themselves while they work. */
  readonly hear?: Listener;
  /** Hears what goes wrong beside the run and cannot stop it. */
  readonly warn?: (message: string) => void;
}

/** The listener of an opened run. The live view replaces its functions while it is on the screen. */
export interface Audience {
  observe: Observer;
  hear: Listener | undefined;
  warn: ((message: string) => void) | undefined;
}

/** Makes an audience that begins as this listener. */
export function audienceOf({ observe, hear, warn }: RunListener): Audience {
  return { observe, hear, warn };
}

/** How a run is opened, be it started or resumed. */
export interface OpenOptions {
  /** The plan was read with these flags, too. */
  readonly flags: ReadingFlags;
  /** The tasks that agents may work on; null means all, and absent means what was asked for before. */
  readonly only?: readonly string[] | null | undefined;
  /** The wall clock, unless a test lets a night pass in minutes. */
  readonly clock?: ClockPort | undefined;
}

interface Parts {
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

/** Makes the event by which the journal knows an approval. */
export function approvedEvent({ plan, hash, at, by }: Approval): RunEvent {
  return { type: "plan-approved", plan, planHash: hash, approvedAt: at, by };
}

/** A run whose hooks are opened. */
interface HookedRun {
  readonly ready: Ready;
  readonly run: NamedRun;
  /** The entries that its journal has already. */
  readonly entries: readonly RunEntry[];
  readonly approval: Approval | undefined;
  readonly redact: Redactor;
  readonly audience: Pick<Audience, "warn">;
}

/** Opens the hooks of a run before its next event. */
export function openRunHooks(
  { paths, env, repo: { root } }: Project,
  { ready, run, entries, approval, redact, audience }: HookedRun,
): Hooks {
  return openHooks({
    hooks: ready.config.hooks,
    run: run.run,
    name: runName(run),
    plan: run.plan,
    dir: runPaths(paths, run.run).dir,
    root,
    env,
    redact,
    entries,
    whyNotApproved: (command) => whyHookDiffers(command, root, approval?.programs ?? {}),
    warn: (message) => audience.warn?.(message),
  });
}

/** Tells the front end of an event first, then the hooks. */
export function everyone(audience: Audience, hooks: Hooks): Observer {
  return (entry, state) => {
    audience.observe(entry, state);
    hooks.hear(entry);
  };
}

/** Puts a run together from its journal and everything around it. */
export function assemble(project: Project, parts: Parts): Omit<OpenedRun, "branchProblem"> {
  const { ready, journal, state, audience, hooks, redact, identity, sandbox, clock } = parts;
  const { config, plan, rules, prompts, files: documents } = ready;
  const paths = runPaths(project.paths, state.run);
  const hear: Listener = (key, event) => {
    activity.hear(key, event);
    audience.hear?.(key, redact.value(event));
  };
  const watch: CommandWatch = (command) => activity.watch(command);
  const planner: PlannerEar = {
    hear: (event) => activity.planner.hear(event),
    begins: (phase, logFile) => activity.planner.begins(phase, logFile),
  };
  const listeners = { hear, watch, planner };
  const around = { identity, sandbox: sandbox.sandbox, clock, redact };
  const ports = realPorts(project, { config, prompts, state, ...around, ...listeners });
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
    observe: everyone(audience, hooks),
    redact,
  });
  const activity = openActivityBoard({ state, live: run.live, paths, redact });
  const close: OpenedRun["close"] = async (signal) => {
    activity.close();
    run.endNotes();
    journal.close();
    // The report comes before the hooks: a person who hears from a hook that the run is over looks at it.
    const report = leaveReport(project.paths, state.run);
    await hooks.end(signal);
    return report;
  };
  return { run, confinement: sandbox.word, audience, activity, paths, close };
}

/** Drives an opened run until nothing more can be done, and closes it, however that ended. */
export async function driveOpened(
  { run, close }: OpenedRun,
  options: DriveOptions & { /** Called with the path of the report. */ readonly reported?: (path: string) => void },
): Promise<RunState> {
  try {
    return await drive(run, options);
  } finally {
    await run.ports.settle();
    const report = await close(options.signal);
    if (report !== undefined) options.reported?.(report);
  }
}

/** An error of the machine seldom says how to resume, so this adds it. */
export function withCure(message: string, state: NamedRun): string {
  if (message.includes("stint resume")) return message;
  return `${message.trimEnd()}\nNothing in the journal is lost. Fix that, then run \`${resumeCommand(state)}\`.`;
}
