import { projectRedactor } from "../agents/redaction.ts";
import { whyNoAgent } from "../agents/real-sessions.ts";
import { readApproval, type Approval } from "../approval/approvals.ts";
import { plansOfRun, withApprovedSettings, planInForce, askedBefore, settingsOf } from "../approval/plan-of-run.ts";
import type { PlanReading, Ready } from "../approval/committed-plan.ts";
import { among, namedPrograms, whyProgramsDiffer } from "../approval/programs.ts";
import { fail, ok, type Result, type Failure } from "../base/result.ts";
import { stillAsked } from "../engine/asked.ts";
import { isPlanOf } from "../engine/revise.ts";
import type { RunSettings } from "../engine/events.ts";
import type { RunState } from "../engine/state.ts";
import { identity } from "../git/user-repo.ts";
import type { RunEntry } from "../hooks/run-entry.ts";
import { realMachine } from "../project/machine.ts";
import { runPaths } from "../project/paths.ts";
import { findProjectSandbox, type Project } from "../project/project.ts";
import { compareWithGit } from "./compare-with-git.ts";
import {
  approvedEvent,
  assemble,
  audienceOf,
  openRunHooks,
  warnOfBranch,
  type OpenedRun,
  type OpenOptions,
  type RunListener,
} from "./opened-run.ts";
import { openRunJournal, recordResume, type OpenedRunJournal } from "./run-journal.ts";

type Resumption = OpenOptions & { readonly run: string };

/** Resumes a run where its journal ends. The caller holds the plan's lock. */
export async function resumeRun(
  project: Project,
  resumption: Resumption,
  listener: RunListener,
): Promise<Result<OpenedRun>> {
  const read = openRunJournal(realMachine, runPaths(project.paths, resumption.run).journal);
  if (!read.ok) return read;
  let resumed: Result<OpenedRun> | undefined;
  try {
    resumed = await resumeFrom(project, { ...resumption, read: read.value }, listener);
    return resumed;
  } finally {
    if (resumed?.ok !== true) read.value.journal.close();
  }
}

/** The journal was read; what follows compares it with git, refuses what no longer fits, assembles the run, and repairs. */
async function resumeFrom(
  project: Project,
  { read, clock = realMachine.clock, ...resumption }: Resumption & { readonly read: OpenedRunJournal },
  listener: RunListener,
): Promise<Result<OpenedRun>> {
  const { journal, state } = read;
  const who = await identity(project.repo);
  if (!who.ok) return who;
  const git = await compareWithGit(project, state);
  if (!git.ok) return git;
  const terms = await termsOf(project, state, resumption);
  if (!terms.ok) return terms;
  const { ready, approval, settings, newlyApproved } = terms.value;
  const sandbox = await findProjectSandbox(project, ready.config);
  if (!sandbox.ok) return sandbox;
  const redact = await projectRedactor(project, ready.config);
  const audience = audienceOf(listener);
  const entries = read.entries as readonly RunEntry[];
  const hooks = openRunHooks(project, { ready, run: state, entries, approval, redact, audience });
  const surroundings = { identity: who.value, sandbox: sandbox.value, clock };
  const opened = assemble(project, { ready, journal, state, redact, audience, hooks, ...surroundings });
  try {
    if (newlyApproved !== undefined) opened.run.append(approvedEvent(newlyApproved));
    await recordResume(opened.run, read, settings);
    git.value.lost.forEach((event) => opened.run.append(event));
    return ok({ ...opened, branchProblem: await warnOfBranch(project, opened.run.state, listener) });
  } catch (error) {
    await opened.close(AbortSignal.abort());
    throw error;
  }
}

/** What a run is resumed on: the plan in force, the settings approved by now, and who approved them. */
interface Terms {
  readonly ready: Ready;
  readonly approval: Approval | undefined;
  readonly settings: RunSettings;
  /** An approval that the journal does not have yet. */
  readonly newlyApproved: Approval | undefined;
}

async function termsOf(project: Project, state: RunState, options: OpenOptions): Promise<Result<Terms>> {
  const { only = stillAsked(state) } = options;
  const flags = { ...askedBefore(state.settings), ...options.flags };
  const plans = await plansOfRun(project, state, flags);
  const executed = planInForce(state, plans);
  if (!executed.ok) return executed;
  const approval = readApproval(project.paths, state.plan);
  const { ready: approved, isApproved } = await withApprovedSettings(project, { ...plans, approval, flags });
  const ready = { ...approved, ...executed.value };
  const unfit = await whyUnfit(ready, project, only);
  if (unfit !== undefined) return { ok: false, failure: unfit };
  const differ = whyOtherPrograms(project, { ready, approval, isApproved });
  if (differ !== undefined) return fail("unapproved", differ);
  const isNew = approval !== undefined && isApproved && !isPlanOf(state, approval.hash);
  const settings = { ...settingsOf(approved, flags), only };
  return ok({ ready, approval, settings, newlyApproved: isNew ? approval : undefined });
}

/** Your own settings may have changed since the run started. Work by hand needs no agent. */
async function whyUnfit(
  ready: PlanReading,
  project: Project,
  only: readonly string[] | null,
): Promise<Failure | undefined> {
  const error = ready.problems.find((problem) => problem.severity === "error");
  if (error !== undefined)
    return { reason: "settings", message: `${error.file}:${error.line}:${error.column}: error: ${error.message}` };
  const { plan } = ready;
  return plan === undefined || only?.length === 0 ? undefined : await whyNoAgent({ ...ready, plan }, project);
}

/** Programs of the repository that agents and hooks run must be the approved ones. */
function whyOtherPrograms(
  project: Project,
  { ready, approval, isApproved }: Pick<Terms, "ready" | "approval"> & { readonly isApproved: boolean },
): string | undefined {
  if (approval === undefined) return undefined;
  const now = namedPrograms(ready.config, project.repo.root);
  return whyProgramsDiffer(isApproved ? approval.programs : among(approval.programs, now), now, approval.plan);
}
