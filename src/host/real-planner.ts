import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../config/load.ts";
import { planHashNow } from "../engine/revise.ts";
import { add } from "../engine/spending.ts";
import type { RunState } from "../engine/state.ts";
import type { Identity } from "../git/names.ts";
import { writeDocument } from "../journal/document.ts";
import { realFiles } from "../journal/file-port.ts";
import { openJournal } from "../journal/journal.ts";
import type { Rules } from "../plan/types.ts";
import { foldPlanning } from "../planner/planning.ts";
import type { PlanningEvent } from "../planner/events.ts";
import type { Prompts } from "../prompts/overrides.ts";
import type { Redactor } from "../redact.ts";
import { fail, ok, type Result } from "../result.ts";
import type { Sandbox } from "../sandbox/sandbox.ts";
import { readCommittedPlan } from "./committed-plan.ts";
import { planningPlace, runLayout } from "./layout.ts";
import type { AssessedDraft, Standing } from "./planning/contract.ts";
import { openedPlanning } from "./planning/opened.ts";
import type { OpenedPlanning, PlanningEnd } from "./planning/plan.ts";
import { projectFacts } from "./planning/project-facts.ts";
import type { PlannerPort, Proposed } from "./ports.ts";
import type { Project } from "./project.ts";
import { problemsFile } from "./proposal.ts";
import { readRevisionApproval } from "./revision-approvals.ts";
import { revisionBriefing, standingOf } from "./revision-standing.ts";
import { commitRevision, type Revision } from "./revisions.ts";
import { readRun } from "./runs.ts";

/** What a run's planner needs of the run. */
export interface PlannerContext {
  readonly project: Project;
  readonly config: Config;
  readonly rules: Rules;
  readonly prompts: Prompts;
  readonly state: RunState;
  readonly identity: Identity;
  readonly sandbox: Sandbox;
  readonly redact: Redactor;
}

/** Plans anew for a run, in a folder of the run's own, without anybody being asked. */
export function realPlanner(context: PlannerContext): PlannerPort {
  const { project, state } = context;
  return {
    propose: async (request) => await propose(context, request),
    approved: ({ commit, planHash }) => {
      const approval = readRevisionApproval(project.layout, { run: state.run, planHash });
      return approval?.commit === commit ? approval : null;
    },
    read: async (commit) => {
      const { plan, hash, files: documents } = await readCommittedPlan(project, { commit, plan: state.plan });
      const { accepted } = state.replanning;
      if (plan === undefined || hash !== accepted?.planHash)
        throw new Error(`commit ${commit} is not the revision that was accepted. Start a new run.`);
      return { plan, documents };
    },
  };
}

type Request = Parameters<PlannerPort["propose"]>[0];

async function propose(context: PlannerContext, request: Request): Promise<Proposed> {
  const opened = await openRevision(context, request);
  if (!opened.ok) return { kind: "none", why: opened.failure.message, outcome: null, usage: noUsage };
  const { planning, folder } = opened.value;
  try {
    const end = await planning.drive({ dialog: null, observe: () => undefined, signal: request.signal });
    return { ...proposedBy(end, folder), usage: planning.state.usage };
  } finally {
    planning.close();
  }
}
