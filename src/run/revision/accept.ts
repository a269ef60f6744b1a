import { runName } from "../../engine/run-name.ts";
import type { ApprovedRevision } from "../../engine/commands.ts";
import { planHashNow } from "../../engine/revise.ts";
import type { RunState } from "../../engine/state.ts";
import { identity } from "../../git/user-repo.ts";
import { approvalHash } from "../../plan/hash.ts";
import type { DraftProblem } from "../../planning/machine/assessment.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import { addressOf, sendCommand } from "../commands/send-command.ts";
import { plansOfRun, planInForce } from "../../approval/plan-of-run.ts";
import { realClock } from "../../project/machine.ts";
import { readCommittedPlan } from "../../approval/committed-plan.ts";
import type { AssessedDraft } from "../../planning/machine/assessment.ts";
import type { Project } from "../../project/project.ts";
import { approvalOf, writeRevisionApproval } from "../../approval/approvals.ts";
import { commitRevision } from "./commit.ts";
import { readRun } from "../../project/runs.ts";

/** A revision that a run uses from now on, or as soon as the tasks that it changes have ended. */
export interface AcceptedRevision extends Pick<ApprovedRevision, "commit" | "planHash" | "changes"> {
  /** The process that drives the run; null where there is none. */
  readonly driver: number | null;
}

/** Who approves a revision, and what can stop that. */
export interface Word {
  /** A person's login name; null where the settings accept revisions without a person. */
  readonly by: string | null;
  readonly signal: AbortSignal;
}

/** Lets an unfinished run continue with a plan that a person has just accepted. */
export async function acceptRevision(
  project: Project,
  { run, assessed, ...word }: Word & { readonly run: string; readonly assessed: AssessedDraft },
): Promise<Result<AcceptedRevision>> {
  const read = readRun(project.paths, run);
  if (!read.ok) return read;
  const { state } = read.value;
  if (state === undefined || state.finished !== null)
    return fail(
      "finished",
      `run ${state === undefined ? run : runName(state)} is not unfinished: its plan can no longer be revised.`,
    );
  const error = assessed.problems.find(isInTheWay);
  if (error !== undefined)
    return fail("plan-errors", `${error.file}:${error.line}: ${error.message}. A run cannot be resumed with that.`);
  const standing = planInForce(state, await plansOfRun(project, state));
  if (!standing.ok) return standing;
  if (assessed.against !== approvalHash(standing.value.files, standing.value.plan.name))
    return fail("plan-differs", revisedSince(state));
  const who = await identity(project.repo);
  if (!who.ok) return who;
  const { base, tip } = state;
  const { documents } = assessed;
  const request = { run, base, tip, documents, standing: standing.value, identity: who.value, at: new Date() };
  const made = await commitRevision(project, request);
  if (!made.ok) return made;
  if (isWordGiven(project, state, made.value)) return ok({ ...made.value, driver: null });
  if (made.value.planHash === planHashNow(state)) return fail("unchanged", "the plan is unchanged: nothing to revise.");
  return await approve(project, state, { ...made.value, ...word });
}

function revisedSince(state: RunState): string {
  return `the plan of run ${runName(state)} was revised after this draft was compared with it, so nobody has seen what this draft changes`;
}

/** Whoever accepted it may have been killed before that was noted: the run has the word already. */
function isWordGiven(
  { paths }: Project,
  { run, replanning }: RunState,
  { planHash }: Pick<AcceptedRevision, "planHash">,
) {
  const known = [replanning.accepted, replanning.inForce].find((revision) => revision?.planHash === planHash);
  return known !== undefined && known !== null && approvalOf(paths, run, known) !== null;
}

/** Gives a person's word for the revision that the run's own planner proposed. */
export async function acceptProposal(project: Project, state: RunState, word: Word): Promise<Result<AcceptedRevision>> {
  const { plan, replanning } = state;
  if (replanning.proposal === null) return fail("no-proposal", `run ${runName(state)} has no revision to approve.`);
  const { commit, planHash, tasks, changes } = replanning.proposal;
  const { hash } = await readCommittedPlan(project, { commit, plan });
  if (hash !== planHash)
    return fail(
      "plan-differs",
      `commit ${commit} is not the revision that was proposed. Refuse it: \`stint answer replan-${replanning.proposal.revision} refuse\`.`,
    );
  return await approve(project, state, { commit, planHash, tasks, changes, ...word });
}

/** A person may know better about checks on the base. A plan that cannot be read, or would undo finished work, is refused. */
function isInTheWay({ severity, source }: DraftProblem): boolean {
  return severity === "error" && (source === "lint" || source === "done");
}

/** The word is durable before the run hears of it, for the run believes nothing else. */
async function approve(
  project: Project,
  state: RunState,
  { by, signal, ...revision }: Omit<ApprovedRevision, "revises" | "by"> & Word,
): Promise<Result<AcceptedRevision>> {
  const { run, plan } = state;
  const of = { run, plan, revises: planHashNow(state) };
  const written = writeRevisionApproval(project.paths, { ...of, ...revision, at: realClock.now(), by });
  if (!written.ok) return written;
  const { commit, planHash, changes } = revision;
  const sent = await sendCommand(addressOf(project, state), { request: { kind: "revise", commit, planHash }, signal });
  if (sent.kind === "accepted") return ok({ commit, planHash, changes, driver: sent.driver });
  return fail(sent.kind, sent.kind === "ignored" ? sent.why : `not accepted: ${sent.why}`);
}
