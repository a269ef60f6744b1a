import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import type { Listener } from "../agents/real-sessions.ts";
import type { CommandWatch } from "../checks/running-command.ts";
import type { Spending } from "../engine/session.ts";
import { writeDocument } from "../journal/document.ts";
import { realFiles } from "../journal/file-port.ts";
import type { PlanningPaths } from "../project/paths.ts";
import type { Project } from "../project/project.ts";
import { plannerSessions, cappedSessions } from "./agent-sessions.ts";
import { assessDraft } from "./assess.ts";
import { handToCheckout } from "./hand-to-checkout.ts";
import { planningLimits } from "./limits.ts";
import type { AssessedDraft } from "./machine/assessment.ts";
import { answeredQuestions, type PlanningState } from "./machine/state.ts";
import { codebaseMap } from "./map/codebase-map.ts";
import type { Dialog, PlanningPorts } from "./ports.ts";
import type { PlanningSettings } from "./settings.ts";
import { standingNow, type StandingPlan } from "./standing-plan.ts";
import { fail, ok, type Result } from "../base/result.ts";
import { systemUser } from "../base/system-user.ts";
import { readRun } from "../project/runs.ts";
import { acceptRevision } from "../run/revision/accept.ts";

/** What a planning session is made from, besides its journal. */
export interface PlanningContext {
  readonly project: Project;
  readonly settings: PlanningSettings;
  readonly paths: PlanningPaths;
  readonly inputs: ReadonlyMap<string, Uint8Array>;
  /** The plan that is revised; null for a new one. */
  readonly standing: StandingPlan | null;
  readonly ofRun?: OfRun;
}

/** What differs in a planning session that a run starts itself to revise its plan. */
interface OfRun {
  /** Receives all that the running session has used so far. */
  readonly used: (spending: Spending) => void;
  /** Returns the plan and the tip as they are now: the run's other tasks continue meanwhile. */
  readonly standing: () => Promise<Pick<StandingPlan, "base" | "standing">>;
  readonly handOver: PlanningPorts["handOver"];
}

interface PortOptions {
  readonly state: PlanningState;
  readonly dialog: Dialog | null;
  readonly hear: Listener;
  readonly watch: CommandWatch | undefined;
  readonly signal: AbortSignal;
}

/** Makes the ports of a planning session in a real repository, with real agents. */
export function realPlanningPorts(context: PlanningContext, options: PortOptions): PlanningPorts {
  const { project, settings, paths, inputs, standing, ofRun } = context;
  const { state, dialog, hear, watch, signal } = options;
  const { base, plan, goal } = state;
  const sessionContext = { ...settings, project, paths, base, hear, watch };
  return {
    dialog,
    sessions:
      ofRun === undefined
        ? cappedSessions(sessionContext, state)
        : plannerSessions({ ...sessionContext, used: ofRun.used }),
    write: (path, text) => {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      const written = writeDocument(realFiles, path, settings.redact.text(text));
      if (!written.ok) throw new Error(written.failure.message);
    },
    map: async () =>
      await codebaseMap(project, { commit: base, tokens: planningLimits.mapTokensDefault, goal, signal }),
    assess: async (output) => {
      const { base: on, standing: revises } =
        (await ofRun?.standing()) ?? (await standingNow(project, state, standing));
      const answered = answeredQuestions(state);
      return await assessDraft(project, { plan, base: on, output, inputs, answered, revises, signal, watch });
    },
    handOver: ofRun?.handOver ?? (async (assessed) => await handOver(context, options, assessed)),
  };
}

/** Puts an accepted plan into the checkout, or gives it to the unfinished run of the plan that it revises. */
async function handOver(
  { project, standing }: PlanningContext,
  { state, signal }: PortOptions,
  assessed: AssessedDraft,
): ReturnType<PlanningPorts["handOver"]> {
  const { plan, headless, revises } = state;
  const run = revises?.run ?? null;
  if (run !== null) return await handToRun(project, assessed, { run, plan, headless, signal });
  const before = standing === null ? {} : { standing: standing.standing.files };
  return await handToCheckout(project, { plan, documents: assessed.documents, replace: standing !== null, ...before });
}

/**
 * Gives a revision to the run that executes the plan. Nothing is written to the checkout: the revised plan lands with the
 * run's next task. A revision that no person has seen needs the permission of the run's own settings.
 */
async function handToRun(
  project: Project,
  assessed: AssessedDraft,
  of: { readonly run: string; readonly plan: string; readonly headless: boolean; readonly signal: AbortSignal },
): Promise<Result<readonly string[]>> {
  const { run, plan, headless, signal } = of;
  const read = readRun(project.paths, run);
  if (!read.ok) return read;
  if (headless && read.value.state?.settings.replan !== "auto")
    return fail(
      "unapproved",
      `run ${run} takes a revised plan only with your approval. Review it in a terminal: \`stint plan --continue ${plan}\``,
    );
  const by = headless ? null : systemUser().name;
  const accepted = await acceptRevision(project, { run, assessed, by, signal });
  return accepted.ok ? ok([]) : accepted;
}
