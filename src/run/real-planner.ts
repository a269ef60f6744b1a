import { resumeCommand } from "../engine/run-name.ts";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { AgentEvent } from "../agents/driver-kit/agent.ts";
import type { CommandWatch } from "../checks/running-command.ts";
import type { Config } from "../config/load.ts";
import { planHashNow } from "../engine/revise.ts";
import { add, noSpending } from "../engine/spending.ts";
import type { RunState } from "../engine/state.ts";
import type { Identity } from "../git/names.ts";
import { writeDocument } from "../journal/document.ts";
import { realFiles } from "../journal/file-port.ts";
import { rulesText } from "../plan/rules.ts";
import type { DraftProblem } from "../planning/machine/assessment.ts";
import type { PlanningEvent } from "../planning/machine/events.ts";
import type { Standing } from "../planning/machine/revise.ts";
import type { Prompts } from "../prompts/overrides.ts";
import type { Redactor } from "../base/redact.ts";
import { fail, ok, unreachable, type Result } from "../base/result.ts";
import type { Sandbox } from "../sandbox/sandbox.ts";
import { readCommittedPlan } from "../approval/committed-plan.ts";
import { planningPathsIn, runPaths } from "../project/paths.ts";
import type { AssessedDraft } from "../planning/machine/assessment.ts";
import { assemblePlanning, type OpenedPlanning } from "../planning/open-planning.ts";
import type { PlanningEnd } from "../planning/planning-session.ts";
import { openPlanningJournal } from "../planning/journal.ts";
import { projectFacts } from "../planning/project-facts.ts";
import type { PlannerEar } from "./activity.ts";
import type { PlannerPort, Proposed } from "./ports.ts";
import type { Project } from "../project/project.ts";
import { problemsFile } from "./revision/proposal.ts";
import { approvalOf } from "../approval/approvals.ts";
import { revisionBriefing, standingOf } from "./revision/briefing.ts";
import { commitRevision, type RevisedPlan } from "./revision/commit.ts";
import { whyNoAgentFor } from "../agents/real-sessions.ts";
import { readRun } from "../project/runs.ts";

/** The parts of a run that its planner needs. */
export interface RunPlannerContext {
  readonly project: Project;
  readonly config: Config;
  readonly prompts: Prompts;
  readonly state: RunState;
  readonly identity: Identity;
  readonly sandbox: Sandbox;
  readonly redact: Redactor;
  readonly watch: CommandWatch;
  readonly ear: PlannerEar;
}

/** Makes revisions for a run, in a folder of the run's own, without asking a person. */
export function realPlanner(context: RunPlannerContext): PlannerPort {
  const { project, state } = context;
  return {
    propose: async (request) => await propose(context, request),
    approved: (wanted) => approvalOf(project.paths, state.run, wanted),
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

async function propose(context: RunPlannerContext, request: Request): Promise<Proposed> {
  const nobody = await whyNoAgentFor(["planner", "reviewer"], context.config, context.project);
  if (nobody !== undefined) return { kind: "none", why: nobody.message, outcome: null, usage: noSpending };
  const opened = await openRevision(context, request);
  if (!opened.ok) return { kind: "none", why: opened.failure.message, outcome: null, usage: noSpending };
  const planning = opened.value;
  try {
    await planning.settle(request.signal);
    const end = await planning.drive({ dialog: null, ...listenersOf(context, request), signal: request.signal });
    return { ...proposedBy(end, planning.folder), usage: planning.state.usage };
  } finally {
    planning.close();
  }
}

/** Lets people see the planner at work, like any other session. */
function listenersOf(context: RunPlannerContext, { revision }: Request) {
  const { ear, watch } = context;
  const { session } = revisionPaths(context, revision);
  const observe = (event: PlanningEvent) => {
    if (event.type === "session-started") ear.begins(event.phase, session(event.session, event.phase).output);
  };
  return { observe, hear: (_key: unknown, event: AgentEvent) => ear.hear(event), watch };
}

/** Starts or resumes the planning session of one revision on the run's tip. The run's own lock keeps others away. */
async function openRevision(context: RunPlannerContext, request: Request): Promise<Result<OpenedPlanning>> {
  const { project, state: run, redact, config, prompts, sandbox } = context;
  const standing = await standingInRun(context);
  const read = readRun(project.paths, run.run);
  if (!read.ok) return read;
  const evidence = { state: run, entries: read.value.entries };
  const briefing = await revisionBriefing(project, evidence, { standing, asking: request.asking });
  const facts = await projectFacts(project, run.tip);
  const paths = revisionPaths(context, request.revision);
  const opened = openPlanningJournal(paths.journal);
  if (!opened.ok) return opened;
  const before = opened.value.state;
  const base = before?.base ?? run.tip;
  const first = before === undefined ? begun(context, request, { base, standing }) : goesOn;
  const lock = { release: () => undefined };
  const planning = assemblePlanning(
    {
      project,
      paths,
      settings: { config, prompts, sandbox, redact, rules: rulesText(standing.files), project: facts },
      inputs: new Map(),
      standing: { base, standing, briefing },
      ofRun: {
        used: (spending) => request.used(add(planning.state.usage, spending)),
        standing: async () => ({ base: run.tip, standing: await standingInRun(context) }),
        handOver: async (assessed) => await keepProposal(context, request, assessed),
      },
    },
    { journal: opened.value, first, lock },
  );
  return ok(planning);
}

const goesOn = { type: "planning-continued", pid: process.pid, headless: true } as const;

function begun(
  { state: { run, plan: name } }: RunPlannerContext,
  { revision }: Request,
  { base, standing: { plan } }: { readonly base: string; readonly standing: Standing },
): PlanningEvent {
  const about = { planning: `${run}/${revision}`, plan: name, goal: plan.goal || plan.title, base, inputs: [] };
  return { type: "planning-started", ...about, headless: true, revises: { run, words: "" } };
}

/** The documents come from the commit in force; what is done comes from the journal. */
async function standingInRun({ project, state }: RunPlannerContext): Promise<Standing> {
  const commit = state.replanning.inForce?.commit ?? state.base;
  const { plan, files } = await readCommittedPlan(project, { commit, plan: state.plan });
  if (plan === undefined) throw new Error(`Internal error: expected a plan at ${commit}, but was none`);
  return standingOf(state, { plan, files });
}

function revisionPaths({ project: { paths }, state }: RunPlannerContext, revision: number) {
  const { run } = state;
  const { revision: folder, planners } = runPaths(paths, run);
  return planningPathsIn({
    run,
    resumeCommand: resumeCommand(state),
    dir: folder(revision),
    scratch: join(planners, String(revision)),
  });
}

/** Nobody looks at what is wrong with it before it may hold, so nothing may be. */
async function keepProposal(
  context: RunPlannerContext,
  { revision }: Request,
  { documents, problems }: AssessedDraft,
): Promise<Result<readonly string[]>> {
  const { project, state, identity } = context;
  const errors = problems.filter(({ severity }) => severity === "error");
  if (errors.length > 0) return fail("plan-errors", whyRefused(errors));
  const { run, base, tip } = state;
  const request = { run, base, tip, documents, standing: await standingInRun(context), identity, at: new Date() };
  const made = await commitRevision(project, request);
  if (!made.ok) return made;
  if (made.value.planHash === planHashNow(state)) return fail("unchanged", "the planner did not change the plan");
  const folder = revisionPaths(context, revision).dir;
  const kept = [
    writeDocument(realFiles, problemsFile(project.paths, run, revision), JSON.stringify(problems, null, 2) + "\n"),
    writeDocument(realFiles, join(folder, proposalName), JSON.stringify(made.value) + "\n"),
  ];
  return kept.find((written) => !written.ok) ?? ok([...documents.keys()]);
}

function whyRefused(errors: readonly DraftProblem[]): string {
  const [first] = errors;
  const others = errors.length === 1 ? "" : `, and ${errors.length - 1} more errors`;
  return `the planner's last draft still has errors: ${first?.file}:${first?.line}: ${first?.message}${others}`;
}

/** Written before the planning session ends and read after it, possibly by a later driver. */
const proposalName = "revision.json";

type Ended<K> = Omit<Extract<Proposed, { kind: K }>, "usage">;

function proposedBy(end: PlanningEnd, folder: string): Ended<"proposal"> | Ended<"none"> {
  switch (end.kind) {
    case "handed-over":
      return { kind: "proposal", ...(JSON.parse(readFileSync(join(folder, proposalName), "utf8")) as RevisedPlan) };
    case "failed":
      return { kind: "none", why: end.why, outcome: end.outcome };
    case "interrupted":
      return {
        kind: "none",
        why: "it was interrupted",
        outcome: { kind: "interrupted", detail: "it was interrupted" },
      };
    case "waits":
    case "rejected":
      throw new Error(`Internal error: expected a planning session without a person, but it ${end.kind}`);
    default:
      return unreachable(end);
  }
}
