import { exitCodes } from "../../engine/exit-code.ts";
import { pinInUserRepo } from "../../git/control.ts";
import { commitPaths } from "../../git/user-commit.ts";
import { head } from "../../git/user-repo.ts";
import { readApproval, writeApproval, type Approval } from "../../approval/approvals.ts";
import { realClock } from "../../project/machine.ts";
import { advisedProblems, lintWorkTree } from "../../approval/lint.ts";
import { approvalDiff, proposedRulesDiff, readReadyPlan, uncommittedPlanFiles } from "../../approval/approved-plan.ts";
import { errorsIn, hasErrors, type ReadingFlags, type Ready } from "../../approval/committed-plan.ts";
import { forecast } from "../../approval/forecast.ts";
import { driverPrograms, namedPrograms } from "../../approval/programs.ts";
import { failedPrerequisites } from "../../approval/preconditions.ts";
import { selectPlan, type Project } from "../../project/project.ts";
import { whyUsdCapCannotWork } from "../../agents/usd-cap.ts";
import { ok } from "../../base/result.ts";
import { systemUser } from "../../base/system-user.ts";
import type { Decision, Plan } from "../../plan/types.ts";
import { visible, visibleJson } from "../../base/visible.ts";
import { hasOtherToApprove, proposalPage, proposedPlan, runWithProposal } from "../../run/revision/proposal.ts";
import { acceptProposal } from "../../run/revision/accept.ts";
import type { StartedRun } from "../../project/runs.ts";
import { confirm, refuse, refuseWith, type Io } from "../io.ts";
import { pageOf } from "../approval-page/page.ts";
import { lookOf } from "../text-layout.ts";
import { renderPage } from "../approval-page/render.ts";
import { renderRevision, revisionPage } from "../approval-page/revision.ts";
import { tellProblems } from "./lint.ts";
import { refused } from "../../project/refusals.ts";
import { projectAndPlan, projectSandbox, refusal, type Selected, project as openProject } from "./select.ts";

export interface ApproveOptions {
  readonly yes?: true;
  readonly json?: true;
}

/** A run that waits for approval of its revised plan. */
interface Proposed {
  readonly project: Project;
  readonly run: StartedRun;
}

/** `stint approve`: shows what would be allowed and records the approval of exactly that. */
export async function approve(io: Io, name: string | undefined, options: ApproveOptions): Promise<number> {
  const proposed = await proposalFor(io, name);
  if (!proposed.ok) return refuseWith(io, proposed.failure);
  if (proposed.value !== undefined) return await approveRevision(io, proposed.value, options);
  const selected = await projectAndPlan(io, name);
  if (!selected.ok) return refuseWith(io, selected.failure);
  const { project, plan } = selected.value;
  const as = options.json === true ? "json" : "text";
  const approved = await approvePlan(io, project, { plan, yes: options.yes === true, as });
  if (!approved.ok) return refuseWith(io, approved.failure);
  const tell = as === "json" ? io.err : io.out;
  tell(`Approved ${plan} at ${approved.value.hash.slice(0, 12)}. Run it with \`stint run ${plan}\`.`);
  return exitCodes.done;
}

/** Finds the revision that `stint approve` means; undefined where the plan in the checkout is meant. */
async function proposalFor(io: Io, name: string | undefined): Promise<Selected<Proposed | undefined>> {
  const opened = await openProject(io);
  if (!opened.ok) return opened;
  const project = opened.value;
  const selected = name === undefined ? selectPlan(project.repo.root, name) : ok(name);
  const run = selected.ok ? runWithProposal(project.paths, selected.value) : undefined;
  if (run === undefined) return ok(undefined);
  if (!(await hasOtherToApprove(project, run.state))) return ok({ project, run });
  io.err(
    visible(`Run ${run.id} also waits for your approval of a revision: run \`stint approve ${run.state.plan}\` again.`),
  );
  return ok(undefined);
}

/** Shows what a revision changes, and records the approval of exactly that. */
async function approveRevision(io: Io, { project, run }: Proposed, options: ApproveOptions): Promise<number> {
  const plan = await proposedPlan(project, run.state);
  if (plan === undefined) return refuse(io, exitCodes.person, `the revision of run ${run.id} cannot be read as a plan`);
  const page = revisionPage(await proposalPage(project, run.state), plan);
  if (options.json === true) io.out(visibleJson(page));
  else renderRevision(page, lookOf(io)).forEach(io.out);
  if (io.interactive && options.yes !== true && !(await confirm("Continue with this plan?", io.signal))) {
    const cure = `\`stint answer replan-${page.revision} refuse\` rejects it for good.`;
    return refuse(io, exitCodes.person, `not approved. ${cure}`);
  }
  const accepted = await acceptProposal(project, run.state, { by: systemUser().name, signal: io.signal });
  if (!accepted.ok) return refuseWith(io, refused(accepted.failure).failure);
  const { driver } = accepted.value;
  const next = driver === null ? `Resume with \`stint resume ${run.id}\`.` : `Process ${driver} continues with it.`;
  const tell = options.json === true ? io.err : io.out;
  tell(`Approved revision ${page.revision} of ${run.state.plan}. ${next}`);
  return exitCodes.done;
}

/** Approves a plan from beginning to end; `yes` asks nothing and commits the plan's files where needed, `as` says how the page is shown. */
export async function approvePlan(
  io: Io,
  project: Project,
  { plan, yes, as }: { readonly plan: string; readonly yes: boolean; readonly as: "text" | "json" | "nothing" },
): Promise<Selected<Approval>> {
  const committed = await commitPlan(io, project, { plan, yes });
  if (!committed.ok) return committed;
  const commit = (await head(project.repo)).sha;
  const ready = await openReadyPlan(io, project, { plan, commit });
  if (!ready.ok) return ready;
  if (as !== "nothing") await showPage(io, project, { ready: ready.value, commit, as });
  const open = whyUndecided(ready.value.plan);
  if (open !== undefined) return refusal(exitCodes.person, open);
  if (io.interactive && !yes && !(await confirm("Approve this plan?", io.signal))) {
    return refusal(exitCodes.person, "not approved");
  }
  // Nothing of a plan is run before a person has agreed to it.
  const found = await projectSandbox(project, ready.value.config);
  if (!found.ok) return found;
  const { sandbox } = found.value;
  const failed = await failedPrerequisites(project, { ready: ready.value, commit, sandbox, signal: io.signal });
  if (failed !== undefined) return refusal(exitCodes.person, `a prerequisite is not met: ${failed}`);
  const programs = namedPrograms(ready.value.config, project.repo.root);
  return await recordApproval(project, { plan, hash: ready.value.hash, commit, programs });
}

function whyUndecided({ decisions, dir }: Plan): string | undefined {
  const open = decisions.filter((decision) => decision.answer === undefined);
  if (open.length === 0) return undefined;
  const list = open.map((decision) => openDecision(`${dir}/plan.md`, decision)).join("");
  return `decisions are still open. Write an \`answer\` for each, then approve again:${list}`;
}

function openDecision(file: string, { id, question, options, recommend, at }: Decision): string {
  const lines = [
    `${file}:${at.line}: ${id}: ${question}`,
    ...(options.length === 0 ? [] : [`  options: ${options.join(", ")}`]),
    ...(recommend === undefined ? [] : [`  recommended: \`answer: ${recommend}\``]),
  ];
  return lines.map((line) => `\n  ${line}`).join("");
}

/** Reads a committed plan that is fit to run; errors are printed, warnings are for the page. */
export async function openReadyPlan(
  io: Io,
  project: Project,
  options: { readonly plan: string; readonly commit: string; readonly flags?: ReadingFlags },
): Promise<Selected<Ready>> {
  const ready = await readReadyPlan(project, options);
  if (ready.ok) return ready;
  tellProblems(io, ready.failure.problems);
  return refused(ready.failure);
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
    return refusal(exitCodes.usage, errorsIn(plan));
  }
  const open = reading.plan === undefined ? undefined : whyUndecided(reading.plan);
  if (open !== undefined) return refusal(exitCodes.person, open);
  const list = paths.map((path) => `  ${path}`).join("\n");
  if (
    !yes &&
    !(io.interactive && (await confirm(`${visible(list, { multiline: true })}\nCommit these files?`, io.signal)))
  ) {
    return refusal(exitCodes.person, `not committed yet:\n${list}\nCommit them, or use \`stint approve --yes\`.`);
  }
  const commit = await commitPaths(project.repo, paths, `Plan ${plan}`);
  if (!commit.ok) return refusal(exitCodes.internal, commit.failure.message);
  io.err(`Committed the plan as ${commit.value.slice(0, 12)}.`);
  return ok(undefined);
}

/** Prints the page that a person approves. */
export async function showPage(
  io: Io,
  project: Project,
  { ready, commit, as }: { readonly ready: Ready; readonly commit: string; readonly as: "text" | "json" },
): Promise<void> {
  const previous = readApproval(project.paths, ready.plan.name);
  const isChanged = previous !== undefined && previous.hash !== ready.hash;
  const page = pageOf({
    ready: { ...ready, problems: await advisedProblems(project, ready) },
    commit,
    previous,
    difference: isChanged ? await approvalDiff(project, { previous, commit, ready }) : [],
    proposed: await proposedRulesDiff(project, { commit, ready }),
    estimate: await forecast(project, { ready, commit }),
    programs: await driverPrograms(ready.config),
    unheldCap: await whyUsdCapCannotWork(ready),
  });
  if (as === "json") io.out(visibleJson(page));
  // Always whole: a long difference must not push a changed command out of sight.
  else renderPage(page, lookOf(io)).forEach(io.out);
}

/** Records the approval of what is in a commit, and keeps that commit alive. */
export async function recordApproval(
  project: Project,
  approved: Pick<Approval, "plan" | "hash" | "commit" | "programs">,
): Promise<Selected<Approval>> {
  await pinInUserRepo(project.repo, `refs/stint/keep/approved/${approved.plan}`, approved.commit);
  const approval = { ...approved, at: realClock.now(), by: systemUser().name };
  const written = writeApproval(project.paths, approval);
  return written.ok ? ok(approval) : refusal(exitCodes.internal, written.failure.message);
}
