import { exitCodes } from "../../engine/exit-code.ts";
import { head } from "../../git/user-repo.ts";
import { readApproval } from "../../host/approvals.ts";
import { startRun, type OpenedRun, type Ready } from "../../host/open-run.ts";
import { failedPrerequisites } from "../../host/prerequisites.ts";
import { namedPrograms, whyProgramsDiffer } from "../../host/programs.ts";
import type { Project } from "../../host/project.ts";
import { whyNoAgent } from "../../host/real-sessions.ts";
import { whyCapCannotHold } from "../../host/unheld-caps.ts";
import { visible } from "../../plan/visible.ts";
import { ok } from "../../result.ts";
import { warn, type Io } from "../io.ts";
import { roleLines } from "../render-agents.ts";
import { approvalDiff, approvePlan, readReadyPlan, uncommittedPlanFiles } from "./approve.ts";
import { flagsOf, following, type DriveFlags } from "./drive-run.ts";
import { renderProblem } from "./lint.ts";
import { projectSandbox, refusal, type Selected } from "./select.ts";

/** A committed plan that a person has approved, and the commit to start it on. */
export interface Approved {
  readonly ready: Ready;
  readonly base: string;
  readonly approval: NonNullable<ReturnType<typeof readApproval>>;
}

/** The committed plan, if a person has approved exactly it; `yes` approves it first. */
export async function approvedPlan(
  io: Io,
  project: Project,
  { plan, options }: { readonly plan: string; readonly options: DriveFlags & { readonly yes?: true } },
): Promise<Selected<Approved>> {
  if (options.yes === true) {
    const approved = await approvePlan(io, project, { plan, yes: true, as: "nothing" });
    if (!approved.ok) return approved;
  }
  const uncommitted = await uncommittedPlanFiles(project, plan);
  if (uncommitted.length > 0) {
    const list = uncommitted.map((path) => `  ${path}`).join("\n");
    return refusal(
      exitCodes.person,
      `the plan has changes that are not committed, so nobody approved them:\n${list}\nRun \`stint approve ${plan}\`.`,
    );
  }
  const base = (await head(project.repo)).sha;
  const ready = await readReadyPlan(io, project, { plan, commit: base, flags: flagsOf(options) });
  if (!ready.ok) return ready;
  for (const problem of ready.value.problems) io.err(renderProblem(problem));
  const approval = readApproval(project.layout, plan);
  if (approval === undefined)
    return refusal(exitCodes.person, `plan ${plan} is not approved. Read it with \`stint approve ${plan}\`.`);
  if (approval.hash === ready.value.hash) {
    const now = namedPrograms(ready.value.config, project.repo.root);
    const differ = whyProgramsDiffer(approval.programs, now, plan);
    return differ === undefined ? ok({ ready: ready.value, base, approval }) : refusal(exitCodes.person, differ);
  }
  const diff = await approvalDiff(project, { previous: approval, commit: base, ready: ready.value });
  return refusal(
    exitCodes.person,
    `plan ${plan} was changed after it was approved:\n${diff.join("\n")}\nApprove the change with \`stint approve ${plan}\`.`,
  );
}

/** Starts a run of what a person has approved, if agents, sandbox and prerequisites are there. */
export async function beginRun(
  io: Io,
  project: Project,
  start: Approved & { readonly options: DriveFlags; readonly only?: readonly string[] | null },
): Promise<Selected<OpenedRun>> {
  const { ready, base, approval, options, only = null } = start;
  const isForAgents = only?.length !== 0;
  const noAgent = isForAgents ? whyNoAgent(ready, project.env) : undefined;
  if (noAgent !== undefined) return refusal(exitCodes.usage, noAgent);
  const found = await projectSandbox(project, ready.config);
  if (!found.ok) return found;
  const sandbox = found.value;
  const failed = await failedPrerequisites(project, { ready, commit: base, ...sandbox, signal: io.signal });
  if (failed !== undefined) return refusal(exitCodes.person, `a prerequisite does not hold: ${failed}`);
  if (isForAgents) await tellOfAgents(io, ready);
  const flags = flagsOf(options);
  const started = await startRun(project, ready, { approval, base, sandbox, flags, only, ...following(io, options) });
  return started.ok ? started : refusal(exitCodes.internal, started.failure.message);
}

async function tellOfAgents(io: Io, ready: Ready): Promise<void> {
  for (const line of roleLines(ready)) io.err(visible(line.trim()));
  const unheld = await whyCapCannotHold(ready);
  if (unheld !== undefined) warn(io, unheld);
}
