import { approvedPlan, type Approved } from "../../approval/approved-plan.ts";
import { runsOf } from "../../run/choose-run.ts";
import { readingFlags } from "../../approval/committed-plan.ts";
import { startRun, type OpenedRun } from "../../run/open-run.ts";
import type { Ready } from "../../approval/committed-plan.ts";
import { preconditions } from "../../approval/preconditions.ts";
import type { Project } from "../../project/project.ts";
import type { StartedRun } from "../../project/runs.ts";
import { whyUsdCapCannotWork } from "../../agents/usd-cap.ts";
import { visible } from "../../base/visible.ts";
import { ok } from "../../base/result.ts";
import { warn, type Io } from "../io.ts";
import { roleLines } from "../render-agents.ts";
import { approvePlan } from "./approve.ts";
import { following, type DriveFlags } from "./drive-run.ts";
import { tellProblems } from "./lint.ts";
import { refused, type Selected } from "./select.ts";

/** The runs of a plan that can be read; those that cannot are named on the way. */
export function knownRuns(io: Io, project: Project, plan: string): Selected<readonly StartedRun[]> {
  const known = runsOf(project.paths, plan);
  if (!known.ok) return refused(known.failure);
  for (const why of known.value.damaged) warn(io, why);
  return ok(known.value.runs);
}

/** The committed plan, if a person has approved exactly it; `yes` approves it first. */
export async function approvedNow(
  io: Io,
  project: Project,
  { plan, options }: { readonly plan: string; readonly options: DriveFlags & { readonly yes?: true } },
): Promise<Selected<Approved>> {
  if (options.yes === true) {
    const approved = await approvePlan(io, project, { plan, yes: true, as: "nothing" });
    if (!approved.ok) return approved;
  }
  const approved = await approvedPlan(project, { plan, flags: readingFlags(options) });
  tellProblems(io, (approved.ok ? approved.value.ready : approved.failure).problems);
  return approved.ok ? approved : refused(approved.failure);
}

/** Starts a run of what a person has approved, if agents, sandbox and prerequisites are there. */
export async function beginRun(
  io: Io,
  project: Project,
  start: Approved & { readonly options: DriveFlags; readonly only?: readonly string[] | null },
): Promise<Selected<OpenedRun>> {
  const { ready, base, approval, options, only = null } = start;
  const isForAgents = only?.length !== 0;
  const found = await preconditions(project, { ready, base, isForAgents, signal: io.signal });
  if (!found.ok) return refused(found.failure);
  if (isForAgents) await tellOfAgents(io, ready);
  const [sandbox, flags] = [found.value, readingFlags(options)];
  const started = await startRun(project, ready, { approval, base, sandbox, flags, only, ...following(io, options) });
  return started.ok ? started : refused(started.failure);
}

async function tellOfAgents(io: Io, ready: Ready): Promise<void> {
  for (const line of roleLines(ready)) io.err(visible(line.trim()));
  const unheld = await whyUsdCapCannotWork(ready);
  if (unheld !== undefined) warn(io, unheld);
}
