import { runName } from "../../engine/run-name.ts";
import { exitCodes } from "../../engine/exit-code.ts";
import { pinInUserRepo } from "../../git/control.ts";
import { commitPaths, previewCommit } from "../../git/user-commit.ts";
import { head } from "../../git/user-repo.ts";
import { readApproval, writeApproval, type Approval } from "../../approval/approvals.ts";
import { realClock } from "../../project/machine.ts";
import { advisedProblems, lintWorkTree } from "../../approval/lint.ts";
import { approvalDiff, proposedRulesDiff, readReadyPlan, uncommittedPlanFiles } from "../../approval/approved-plan.ts";
import { errorsIn, hasErrors, type ReadingFlags, type Ready } from "../../approval/committed-plan.ts";
import { forecast } from "../../approval/forecast.ts";
import { driverPrograms, namedPrograms } from "../../approval/programs.ts";
import { failedPrerequisites } from "../../approval/preconditions.ts";
import { findProjectSandbox, planNameIn, selectPlan, type Project } from "../../project/project.ts";
import { whyUsdCapCannotWork } from "../../agents/usd-cap.ts";
import { ok } from "../../base/result.ts";
import { systemUser } from "../../base/system-user.ts";
import type { Decision, Plan } from "../../plan/types.ts";
import { visible, visibleJson } from "../../base/visible.ts";
import { hasOtherToApprove, proposalPage, proposedPlan, runWithProposal } from "../../run/revision/proposal.ts";
import { acceptProposal } from "../../run/revision/accept.ts";
import type { StartedRun } from "../../project/runs.ts";
import { confirm, refuse, refuseWith, type Io } from "../io.ts";
import { createTicker, showCommands } from "../dialog/ticker.ts";
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
  const { root } = project.repo;
  const selected = name === undefined ? selectPlan(root, name) : ok(planNameIn(name, { root, cwd: io.cwd }));
  const run = selected.ok ? runWithProposal(project.paths, selected.value) : undefined;
  if (run === undefined) return ok(undefined);
  if (!(await hasOtherToApprove(project, run.state))) return ok({ project, run });
  io.err(
    visible(
      `Run ${runName(run.state)} also waits for your approval of a revision: run \`stint approve ${run.state.plan}\` again.`,
    ),
  );
  return ok(undefined);
}

/** Shows what a revision changes, and records the approval of exactly that. */
async function approveRevision(io: Io, { project, run }: Proposed, options: ApproveOptions): Promise<number> {
  const plan = await proposedPlan(project, run.state);
  if (plan === undefined)
    return refuse(io, exitCodes.person, `the revision of run ${runName(run.state)} cannot be read as a plan`);
  const page = revisionPage(await proposalPage(project, run.state), plan);
  if (options.json === true) io.out(visibleJson(page));
  else renderRevision(page, lookOf(io)).forEach(io.out);
  const isAsked = canReadAndAnswer(io);
  if (options.yes !== true && !(isAsked && (await confirm("Continue with this plan?", io.signal)))) {
    const accept = isAsked ? "" : ` \`stint approve ${run.state.plan} --yes\` accepts it without asking;`;
    const cure = `${accept} \`stint answer replan-${page.revision} refuse\` rejects it for good.`;
    return refuse(io, exitCodes.person, `not approved.${cure}`);
  }
  const accepted = await acceptProposal(project, run.state, { by: systemUser().name, signal: io.signal });
  if (!accepted.ok) return refuseWith(io, refused(accepted.failure).failure);
  const { driver } = accepted.value;
  const next =
    driver === null ? `Resume with \`stint resume ${runName(run.state)}\`.` : `Process ${driver} continues with it.`;
  const tell = options.json === true ? io.err : io.out;
  tell(`Approved revision ${page.revision} of ${run.state.plan}. ${next}`);
  return exitCodes.done;
}

/** How a plan is approved: `yes` asks nothing and commits the plan's files where needed, `as` says how the page is shown. */
interface Approving {
  readonly plan: string;
  readonly yes: boolean;
  readonly as: "text" | "json" | "nothing";
}

/** Approves a plan from beginning to end: the page, the question, the commit where one is needed, the record. */
export async function approvePlan(io: Io, project: Project, approving: Approving): Promise<Selected<Approval>> {
  const { plan, yes, as } = approving;
  const paths = await uncommittedPlanFiles(project, plan);
  const flaw = paths.length === 0 ? undefined : await whyNotToCommit(io, project, plan);
  if (flaw !== undefined) return flaw;
  // Whoever said yes in advance sees the commit that is made; anybody else sees what would be committed first.
  const shown = yes ? await commitPlan(io, project, { plan, paths }) : await previewPlan(project, paths);
  if (!shown.ok) return shown;
  const commit = shown.value;
  const ready = await openReadyPlan(io, project, { plan, commit });
  if (!ready.ok) return ready;
  if (as !== "nothing") await showPage(io, project, { ready: ready.value, commit, as });
  const open = whyUndecided(ready.value.plan);
  if (open !== undefined) return refusal(exitCodes.person, open);
  if (yes) return await recordReady(io, project, { ready: ready.value, commit, as });
  const no = await whyNotAgreed(io, { plan, paths });
  if (no !== undefined) return refusal(exitCodes.person, no);
  const committed = await commitPlan(io, project, { plan, paths });
  if (!committed.ok) return committed;
  const made = await openReadyPlan(io, project, { plan, commit: committed.value });
  if (!made.ok) return made;
  if (made.value.hash !== ready.value.hash) {
    const what =
      "the commit does not have what the page showed; files changed meanwhile, or a commit hook changed them";
    return refusal(exitCodes.person, `not approved: ${what}. Run \`stint approve ${plan}\` again.`);
  }
  return await recordReady(io, project, { ready: made.value, commit: committed.value, as });
}

/** Whether a person sees the page on a terminal, and not only the question: the page may go to a pipe or a file. */
function canReadAndAnswer({ interactive, columns }: Io): boolean {
  return interactive && columns !== undefined;
}

/** Asks the person; without a terminal nobody can have read the page. */
async function whyNotAgreed(
  io: Io,
  { plan, paths }: { readonly plan: string; readonly paths: readonly string[] },
): Promise<string | undefined> {
  const list = `not committed yet:\n${paths.map((path) => `  ${path}`).join("\n")}`;
  if (!canReadAndAnswer(io)) {
    const cure = `Read the page, then approve it with \`stint approve ${plan} --yes\``;
    const what = `not approved: nobody could read the page on a terminal and answer. ${cure}`;
    return paths.length === 0 ? `${what}.` : `${what}, which commits what is ${list}`;
  }
  const question = `${visible(list, { multiline: true })}\nCommit these files and approve this plan?`;
  const isAgreed = await confirm(paths.length === 0 ? "Approve this plan?" : question, io.signal);
  return isAgreed ? undefined : "not approved";
}

/** Nothing of a plan is run before a person has agreed to it. */
async function recordReady(
  io: Io,
  project: Project,
  { ready, commit, as }: { readonly ready: Ready; readonly commit: string; readonly as: Approving["as"] },
): Promise<Selected<Approval>> {
  const found = await projectSandbox(project, ready.config);
  if (!found.ok) return found;
  const { sandbox } = found.value;
  const watch = showCommands(createTicker(as === "json" ? { paint: io.paint } : io), () => "prerequisite");
  const failed = await failedPrerequisites(project, { ready, commit, sandbox, signal: io.signal, watch });
  if (failed !== undefined) return refusal(exitCodes.person, `a prerequisite is not met: ${failed}`);
  const programs = namedPrograms(ready.config, project.repo.root);
  return await recordApproval(project, { plan: ready.plan.name, hash: ready.hash, commit, programs });
}

function whyUndecided({ decisions, file }: Plan): string | undefined {
  const open = decisions.filter((decision) => decision.answer === undefined);
  if (open.length === 0) return undefined;
  const list = open.map((decision) => openDecision(file, decision)).join("");
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

/** Says why the files of a plan are not worth a commit: errors, or decisions that are open. */
async function whyNotToCommit(io: Io, project: Project, plan: string): Promise<Selected<never> | undefined> {
  const reading = await lintWorkTree(project, plan);
  if (hasErrors(reading.problems)) {
    tellProblems(io, reading.problems);
    return refusal(exitCodes.usage, errorsIn(plan, reading.files));
  }
  const open = reading.plan === undefined ? undefined : whyUndecided(reading.plan);
  return open === undefined ? undefined : refusal(exitCodes.person, open);
}

/** Returns a commit as it would be with these files; HEAD if there are none. */
async function previewPlan({ repo }: Project, paths: readonly string[]): Promise<Selected<string>> {
  if (paths.length === 0) return ok((await head(repo)).sha);
  const preview = await previewCommit(repo, paths);
  return preview.ok ? preview : refusal(exitCodes.internal, preview.failure.message);
}

/** Commits exactly these files and returns the commit; HEAD if there are none. */
async function commitPlan(
  io: Io,
  { repo }: Project,
  { plan, paths }: { readonly plan: string; readonly paths: readonly string[] },
): Promise<Selected<string>> {
  if (paths.length === 0) return ok((await head(repo)).sha);
  const commit = await commitPaths(repo, paths, `Plan ${plan}`);
  if (!commit.ok) return refusal(exitCodes.internal, commit.failure.message);
  io.err(`Committed the plan as ${commit.value.slice(0, 12)}.`);
  return commit;
}

/** Prints the page that a person approves. */
export async function showPage(
  io: Io,
  project: Project,
  { ready, commit, as }: { readonly ready: Ready; readonly commit: string; readonly as: "text" | "json" },
): Promise<void> {
  const previous = readApproval(project.paths, ready.plan.name);
  const isChanged = previous !== undefined && previous.hash !== ready.hash;
  // Where the settings ask for a sandbox that is not here, approving says so next.
  const found = await findProjectSandbox(project, ready.config);
  const page = pageOf({
    ready: { ...ready, problems: await advisedProblems(project, ready) },
    commit,
    previous,
    difference: isChanged ? await approvalDiff(project, { previous, commit, ready }) : [],
    proposed: await proposedRulesDiff(project, { commit, ready }),
    estimate: await forecast(project, { ready, commit }),
    programs: await driverPrograms(ready.config),
    unheldCap: await whyUsdCapCannotWork(ready),
    noSandbox: found.ok ? found.value.missing : undefined,
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
