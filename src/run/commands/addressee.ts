import type { RunState } from "../../engine/state.ts";
import { readCommittedPlan } from "../../approval/committed-plan.ts";
import type { Addressee } from "./drain-commands.ts";
import { realMachine } from "../../project/machine.ts";
import { approvalOf } from "../../approval/revision-approvals.ts";
import type { Project } from "../../project/project.ts";
import { projectRedactor } from "../../agents/redaction.ts";

/** The address at which a run of the project takes commands. */
export function addressOf(project: Project, { run, plan, base }: RunState): Addressee {
  const redactor = async () => {
    const { config } = await readCommittedPlan(project, { commit: base, plan });
    return projectRedactor(project, config);
  };
  const approvedRevision: Addressee["approvedRevision"] = (wanted) => approvalOf(project.paths, run, wanted);
  return { run, plan, paths: project.paths, machine: realMachine, redactor, approvedRevision };
}
