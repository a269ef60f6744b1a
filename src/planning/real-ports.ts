import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import type { Spending } from "../engine/session.ts";
import { writeDocument } from "../journal/document.ts";
import { realFiles } from "../journal/file-port.ts";
import type { Lock } from "../journal/lock.ts";
import { planningLimits } from "./limits.ts";
import type { PlanningEvent } from "./machine/events.ts";
import { answeredQuestions } from "./machine/state.ts";
import { codebaseMap } from "./map/codebase-map.ts";
import type { PlanningPaths } from "../project/paths.ts";
import type { Project } from "../project/project.ts";
import { assessDraft } from "./assess.ts";
import { handOverFor, standingNow } from "./hand-to-run.ts";
import { settleSession } from "./steps/session.ts";
import { drivePlanning, type PlanningHands } from "./drive.ts";
import type { OpenedPlanning } from "./open-planning.ts";
import { cappedSessions } from "./capped-sessions.ts";
import { plannerSessions } from "./agent-sessions.ts";
import { recordPlanning, type PlanningJournal } from "./journal.ts";
import type { PlanningSettings } from "./settings.ts";
import type { StandingPlan } from "./standing-plan.ts";

/** All that a planning is opened from. */
export interface Opening {
  readonly project: Project;
  readonly settings: PlanningSettings;
  readonly paths: PlanningPaths;
  readonly inputs: ReadonlyMap<string, Uint8Array>;
  readonly standing: StandingPlan | null;
  readonly lock: Lock;
  readonly opened: PlanningJournal;
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

/** A planning that begins or goes on in this process. */
export function openedPlanning(opening: Opening): OpenedPlanning {
  const { settings, paths, lock, opened, first } = opening;
  const { state, append, watch } = recordPlanning(opened, { first, redact: settings.redact });
  const settle = async (signal: AbortSignal) => {
    const hands = handsOf(opening, { dialog: null, observe: ignore, signal, state, append });
    if (state.open !== null) await settleSession(hands, state.open);
  };
  return {
    id: state.planning,
    plan: state.plan,
    folder: paths.dir,
    sandboxWord: settings.sandboxWord,
    config: settings.config,
    state,
    drive: async (options) => {
      watch(options.observe);
      return await drivePlanning(handsOf(opening, { ...options, state, append }));
    },
    settle,
    giveUp: async (signal) => {
      await settle(signal);
      if (state.over === null) append({ type: "planning-ended", why: "rejected", words: "given up" });
    },
    close: () => {
      opened.journal.close();
      lock.release();
    },
  };
}

type Driving = Parameters<OpenedPlanning["drive"]>[0] & Pick<PlanningHands, "state" | "append">;

function handsOf(opening: Opening, { dialog, signal, hear, state, append }: Driving): PlanningHands {
  const { project, settings, paths, inputs, standing, ofRun } = opening;
  const { base, plan, goal } = state;
  const { prompts, rules, project: facts, redact } = settings;
  const context = { ...settings, project, paths, base, hear: hear ?? ignore };
  return {
    state,
    append,
    paths,
    dialog,
    signal,
    sessions: ofRun === undefined ? cappedSessions(context, state) : plannerSessions({ ...context, used: ofRun.used }),
    materials: { prompts, project: facts, rules, inputs, revision: standing?.briefing ?? null },
    write: (path, text) => {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      const written = writeDocument(realFiles, path, redact.text(text));
      if (!written.ok) throw new Error(written.failure.message);
    },
    map: async () =>
      await codebaseMap(project, { commit: base, tokens: planningLimits.mapTokensDefault, goal, signal }),
    assess: async (left) => {
      const { base: on, standing: revises } =
        (await ofRun?.standing()) ?? (await standingNow(project, state, standing));
      const answered = answeredQuestions(state);
      return await assessDraft(project, { plan, base: on, left, inputs, answered, revises, signal });
    },
    handOver: ofRun?.handOver ?? ((assessed) => handOverFor(project, { state, standing, assessed, signal })),
  };
}

function ignore(): void {
  // Nobody listens.
}
