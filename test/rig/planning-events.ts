import { noSpending } from "../../src/engine/spending.ts";
import type { DraftProblem } from "../../src/planning/machine/assessment.ts";
import type { PlanningEvent, PlanningPhase } from "../../src/planning/machine/events.ts";
import { foldPlanning } from "../../src/planning/machine/evolve.ts";
import type { Finding, Inquiry } from "../../src/planning/machine/session-output.ts";
import type { PlanningState } from "../../src/planning/machine/state.ts";

type EndOf = Extract<PlanningEvent, { type: "session-ended" }>;

/** The first event of a headless planning session for a new plan. */
export const begun: Extract<PlanningEvent, { type: "planning-started" }> = {
  type: "planning-started",
  planning: "20261116-100000-work-abcd",
  plan: "work",
  goal: "Show one behaviour",
  base: "0".repeat(40),
  inputs: [],
  headless: true,
  revises: null,
};
const process = { pid: 1, startTime: "1", bootId: "b" };

/** A problem that sends a draft back. */
export const error: DraftProblem = { severity: "error", source: "lint", file: "plan.md", line: 1, message: "no" };
/** A finding that sends a draft back. */
export const grave: Finding = { severity: "major", file: "plan.md", line: 1, title: "t", why: "w", fix: "" };
export const inquiry = (id: string, recommend: string | null = "yes"): Inquiry => ({
  id,
  question: `${id}?`,
  options: ["yes", "no"],
  recommend,
});

/** Returns the state after these events, of a planning session that is mapped. */
export function after(
  events: readonly PlanningEvent[],
  first: Partial<Extract<PlanningEvent, { type: "planning-started" }>> = {},
) {
  const mapped: PlanningEvent = { type: "mapped", files: 1, symbols: 1, tokens: 1 };
  return foldPlanning([{ ...begun, ...first }, mapped, ...events]) as PlanningState;
}

/** Returns the events of a session from its start to its end. */
export function session(phase: PlanningPhase, number: number, end: Partial<EndOf> = {}): PlanningEvent[] {
  return [
    { type: "session-started", phase, session: number, process, marker: "m" },
    {
      type: "session-ended",
      phase,
      session: number,
      outcome: { kind: "ok" },
      usage: noSpending,
      durationMs: 1,
      questions: [],
      hasScope: false,
      hasDraft: false,
      findings: null,
      problems: [],
      dirty: [],
      ...end,
    },
  ];
}

export const drafted = (number: number) => session("draft", number, { hasDraft: true });
export const assessed = (number: number, ...problems: readonly DraftProblem[]): PlanningEvent => ({
  type: "draft-assessed",
  session: number,
  problems,
});
