import { exitCodes } from "../../engine/exit-code.ts";
import { hasOtherToApprove, proposalPage, proposedPlan, runWithProposal } from "../../run/revision/proposal.ts";
import { selectPlan, type Project } from "../../project/project.ts";
import { acceptProposal } from "../../run/revision/accept.ts";
import type { StartedRun } from "../../project/runs.ts";
import { visible, visibleJson } from "../../base/visible.ts";
import { ok } from "../../base/result.ts";
import { systemUser } from "../../base/system-user.ts";
import { confirm, refuse, type Io } from "../io.ts";
import { lookOf } from "../text-layout.ts";
import { renderRevision, revisionPage } from "../approval-page/revision.ts";
import type { ApproveOptions } from "./approve.ts";
import { project as openProject, refused, type Selected } from "./select.ts";

/** A run that waits for approval of its revised plan. */
export interface Proposed {
  readonly project: Project;
  readonly run: StartedRun;
}

/** The revision that `stint approve` means; undefined where the plan in the checkout is meant. */
export async function proposalFor(io: Io, name: string | undefined): Promise<Selected<Proposed | undefined>> {
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
export async function approveRevision(io: Io, { project, run }: Proposed, options: ApproveOptions): Promise<number> {
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
  if (!accepted.ok) {
    const { code, message } = refused(accepted.failure).failure;
    return refuse(io, code, message);
  }
  const { driver } = accepted.value;
  const goesOn = driver === null ? `Resume with \`stint resume ${run.id}\`.` : `Process ${driver} continues with it.`;
  const tell = options.json === true ? io.err : io.out;
  tell(`Approved revision ${page.revision} of ${run.state.plan}. ${goesOn}`);
  return exitCodes.done;
}
