import { exitCodes } from "../../engine/exit-code.ts";
import { pinInUserRepo } from "../../git/control.ts";
import { commitPaths } from "../../git/user-commit.ts";
import { head } from "../../git/user-repo.ts";
import { readApproval, writeApproval, type Approval } from "../../host/approvals.ts";
import { realClock } from "../../host/clock.ts";
import { approvalDiff, readReadyPlan, uncommittedPlanFiles } from "../../host/approved-plan.ts";
import { hasErrors } from "../../host/committed-plan.ts";
import { lintWorkTree } from "../../host/lint-work-tree.ts";
import type { Ready } from "../../host/open-run.ts";
import { agentPrograms } from "../../host/programs.ts";
import { failedPrerequisites } from "../../host/prerequisites.ts";
import type { Project } from "../../host/project.ts";
import { ok } from "../../result.ts";
import { systemUser } from "../../system-user.ts";
import type { Plan } from "../../plan/types.ts";
import { visible } from "../../plan/visible.ts";
import { confirm, refuse, type Io } from "../io.ts";
import { renderPlan } from "../render-plan.ts";
import { tellProblems } from "./lint.ts";
import { projectAndPlan, projectSandbox, refusal, refused, type Selected } from "./select.ts";

export interface ApproveOptions {
  readonly yes?: true;
}

/** `stint approve`: shows what would be allowed and records a person's word for exactly that. */
export async function approve(io: Io, name: string | undefined, options: ApproveOptions): Promise<number> {
  const selected = await projectAndPlan(io, name);
  if (!selected.ok) return refuse(io, selected.failure.code, selected.failure.message);
  const { project, plan } = selected.value;
  const approved = await approvePlan(io, project, { plan, yes: options.yes === true });
  if (!approved.ok) return refuse(io, approved.failure.code, approved.failure.message);
  io.out(`Approved ${plan} at ${approved.value.hash.slice(0, 12)}. Execute it with \`stint run ${plan}\`.`);
  return exitCodes.done;
}

/** The whole act of approval; `yes` asks nothing and commits the plan's files where needed. */
export async function approvePlan(
  io: Io,
  project: Project,
  { plan, yes }: { readonly plan: string; readonly yes: boolean },
): Promise<Selected<Approval>> {
  const committed = await commitPlan(io, project, { plan, yes });
  if (!committed.ok) return committed;
  const commit = (await head(project.repo)).sha;
  const ready = await toldReadyPlan(io, project, { plan, commit });
  if (!ready.ok) return ready;
  const previous = readApproval(project.layout, plan);
  await show(io, project, { ready: ready.value, previous, commit });
  const open = whyUndecided(ready.value.plan);
  if (open !== undefined) return refusal(exitCodes.person, open);
  if (io.interactive && !yes && !(await confirm("Approve this plan?", io.signal))) {
    return refusal(exitCodes.person, "not approved");
  }
  // Only now: nothing of a plan is run before a person has agreed to it.
  const found = await projectSandbox(project, ready.value.config);
  if (!found.ok) return found;
  const { sandbox } = found.value;
  const failed = await failedPrerequisites(project, { ready: ready.value, commit, sandbox, signal: io.signal });
  if (failed !== undefined) return refusal(exitCodes.person, `a prerequisite does not hold: ${failed}`);
  const programs = agentPrograms(ready.value.config, project.repo.root);
  return await recordApproval(project, { plan, hash: ready.value.hash, commit, programs });
}

function whyUndecided(plan: Plan): string | undefined {
  const open = plan.decisions.filter((decision) => decision.answer === undefined);
  const list = open.map((decision) => `\n  ${decision.id}: ${decision.question}`).join("");
  return open.length === 0 ? undefined : `decisions are open in ${plan.dir}/plan.md; give each an answer:${list}`;
}

/** Reads a committed plan that is fit to run; what lint has to say is printed on the way. */
export async function toldReadyPlan(
  io: Io,
  project: Project,
  options: { readonly plan: string; readonly commit: string },
): Promise<Selected<Ready>> {
  const ready = await readReadyPlan(project, options);
  tellProblems(io, (ready.ok ? ready.value : ready.failure).problems);
  return ready.ok ? ready : refused(ready.failure);
}

async function commitPlan(
  io: Io,
  project: Project,
  { plan, yes }: { readonly plan: string; readonly yes: boolean },
): Promise<Selected<unknown>> {
  const paths = await uncommittedPlanFiles(project, plan);
  if (paths.length === 0) return ok(undefined);
  const reading = await lintWorkTree(project, plan);
  if (hasErrors(reading.problems)) {
    tellProblems(io, reading.problems);
    return refusal(exitCodes.usage, `plans/${plan} has errors; correct them, then try again`);
  }
  const open = reading.plan === undefined ? undefined : whyUndecided(reading.plan);
  if (open !== undefined) return refusal(exitCodes.person, open);
  const list = paths.map((path) => `  ${path}`).join("\n");
  if (
    !yes &&
    !(io.interactive && (await confirm(`${visible(list, { multiline: true })}\nCommit these files?`, io.signal)))
  ) {
    return refusal(exitCodes.person, `not committed yet:\n${list}\nCommit them, or let \`stint approve --yes\` do it.`);
  }
  const commit = await commitPaths(project.repo, paths, `Plan ${plan}`);
  if (!commit.ok) return refusal(exitCodes.internal, commit.failure.message);
  io.err(`Committed the plan as ${commit.value.slice(0, 12)}.`);
  return ok(undefined);
}

async function show(
  io: Io,
  project: Project,
  {
    ready,
    previous,
    commit,
  }: { readonly ready: Ready; readonly previous: Approval | undefined; readonly commit: string },
) {
  if (previous !== undefined && previous.hash !== ready.hash) {
    io.out(`Changed since the approval of ${previous.at}:`);
    for (const line of await approvalDiff(project, { previous, commit, ready })) io.out(line);
    io.out("");
  }
  // Always whole: a long difference must not push a changed command out of sight.
  renderPlan(ready).forEach(io.out);
}

/** Keeps a person's word for what is in a commit, and that commit alive. */
export async function recordApproval(
  project: Project,
  approved: Pick<Approval, "plan" | "hash" | "commit" | "programs">,
): Promise<Selected<Approval>> {
  await pinInUserRepo(project.repo, `refs/stint/keep/approved/${approved.plan}`, approved.commit);
  const approval = { ...approved, at: realClock.now(), by: systemUser().name };
  const written = writeApproval(project.layout, approval);
  return written.ok ? ok(approval) : refusal(exitCodes.internal, written.failure.message);
}
