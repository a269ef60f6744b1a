import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { writeDocument } from "../../journal/document.ts";
import { realFiles } from "../../journal/file-port.ts";
import type { Journal } from "../../journal/journal.ts";
import type { Lock } from "../../journal/lock.ts";
import { limits } from "../../limits.ts";
import type { Spending } from "../../engine/session.ts";
import type { PlanningEvent } from "../../planner/events.ts";
import { answeredQuestions, evolvePlanning, type PlanningState } from "../../planner/planning.ts";
import type { Result } from "../../result.ts";
import { codebaseMap } from "../codebase-map.ts";
import type { PlanningPlace } from "../layout.ts";
import { realMachine } from "../machine.ts";
import type { Project } from "../project.ts";
import { redactEvent } from "../redaction.ts";
import { assessDraft } from "./assess.ts";
import type { AssessedDraft, PlanningObserver, Standing } from "./contract.ts";
import { handOver } from "./hand-over.ts";
import { settleSession } from "./session-step.ts";
import { drivePlanning, type PlanningHands } from "./loop.ts";
import type { OpenedPlanning } from "./plan.ts";
import { plannerSessions } from "./planner-sessions.ts";
import type { PlanningSettings } from "./planning-settings.ts";
import { handToRun } from "./run-hands.ts";
import { readStanding, type StandingPlan } from "./standing.ts";

/** All that a planning is opened from. */
export interface Opening {
  readonly project: Project;
  readonly settings: PlanningSettings;
  readonly place: PlanningPlace;
  readonly inputs: ReadonlyMap<string, Uint8Array>;
  readonly standing: StandingPlan | null;
  readonly lock: Lock;
  readonly journal: Journal;
  /** As its journal tells; undefined where it begins now. */
  readonly state: PlanningState | undefined;
  /** That it begins, or goes on. */
  readonly first: PlanningEvent;
  readonly ofRun?: OfRun;
}

/** What a planning does otherwise that a run begins by itself, to revise its plan. */
export interface OfRun {
  /** Told of all that the running session has used so far. */
  readonly used: (spending: Spending) => void;
  /** The plan and the tip as they are now: the run goes on meanwhile. */
  readonly standing: () => Promise<Pick<StandingPlan, "base" | "standing">>;
  readonly handOver: PlanningHands["handOver"];
}

/** A planning with its journal open: each event reaches the disk first, then the state, then those who watch. */
export function openedPlanning(opening: Opening): OpenedPlanning {
  const { settings, place, lock, journal } = opening;
  const untold: (PlanningEvent & { readonly at: string })[] = [];
  let observe: PlanningObserver = (event) => void untold.push(event);
  const record = (happened: PlanningEvent) => {
    const appended = journal.append(redactEvent(happened, settings.redact), realMachine.clock.now());
    // Fail-stop: an event that is not durable did not happen, and nothing may be built on it.
    if (!appended.ok) throw new Error(appended.failure.message);
    return appended.value;
  };
  const begun = record(opening.first);
  const state = { ...evolvePlanning(opening.state, begun) };
  observe(begun);
  const append = (happened: PlanningEvent) => {
    const event = record(happened);
    Object.assign(state, evolvePlanning(state, event));
    observe(event);
  };
  return {
    id: state.planning,
    plan: state.plan,
    folder: place.dir,
    state,
    drive: async (options) => {
      observe = options.observe;
      untold.splice(0).forEach(observe);
      return await drivePlanning(handsOf(opening, { ...options, state, append }));
    },
    settle: async (signal) => {
      const { open } = state;
      const options = { dialog: null, observe, signal };
      if (open !== null) await settleSession(handsOf(opening, { ...options, state, append }), open);
    },
    close: () => {
      journal.close();
      lock.release();
    },
  };
}

type Driving = Parameters<OpenedPlanning["drive"]>[0] & Pick<PlanningHands, "state" | "append">;

function handsOf(opening: Opening, { dialog, signal, hear, state, append }: Driving): PlanningHands {
  const { project, settings, place, inputs, standing, ofRun } = opening;
  const { base, plan, goal } = state;
  const { prompts, rules, project: facts, redact } = settings;
  const listen = hear ?? ignore;
  return {
    state,
    append,
    place,
    dialog,
    signal,
    sessions: plannerSessions({ ...settings, project, place, base, hear: listen, used: ofRun?.used ?? ignore }),
    materials: { prompts, project: facts, rules, inputs, revision: standing?.briefing ?? null },
    write: (path, text) => {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      const written = writeDocument(realFiles, path, redact.text(text));
      if (!written.ok) throw new Error(written.failure.message);
    },
    map: async () => await codebaseMap(project, { commit: base, tokens: limits.planningMapTokens, goal, signal }),
    assess: async (left) => {
      const now = await standingNow(opening, state);
      const answered = answeredQuestions(state);
      const request = { plan, base: now.base, left, inputs, answered, revises: now.standing, signal };
      return await assessDraft(project, request);
    },
    handOver: ofRun?.handOver ?? ((assessed) => handToPerson(opening, { state, assessed, signal })),
  };
}

/** What a draft is compared with; where a run executes the plan, it may have gone on since the planning began. */
async function standingNow(
  { project, standing, ofRun }: Opening,
  { base, plan, revises }: PlanningState,
): Promise<{ readonly base: string; readonly standing: Standing | null }> {
  if (ofRun !== undefined) return await ofRun.standing();
  const run = revises?.run ?? null;
  const now = run === null ? undefined : await readStanding(project, { plan, run });
  return now?.ok === true ? now.value : { base, standing: standing?.standing ?? null };
}

async function handToPerson(
  { project, standing }: Opening,
  { state, assessed, signal }: { state: PlanningState; assessed: AssessedDraft; signal: AbortSignal },
): Promise<Result<readonly string[]>> {
  const { plan, headless, revises } = state;
  const run = revises?.run ?? null;
  if (run !== null) return await handToRun(project, assessed, { run, plan, headless, signal });
  const before = standing === null ? {} : { standing: standing.standing.files };
  return await handOver(project, { plan, documents: assessed.documents, replace: standing !== null, ...before });
}

function ignore(): void {}
