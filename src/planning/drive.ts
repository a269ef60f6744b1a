import { unreachable } from "../base/result.ts";
import { nextStep, type Step } from "./machine/next-step.ts";
import type { PlanningEnd, PlanningSession } from "./planning-session.ts";
import { assessDraftNow } from "./steps/assess.ts";
import { askQuestions, recordAnswers } from "./steps/ask.ts";
import { endPlanning } from "./steps/end.ts";
import { handOverPlan } from "./steps/hand-over.ts";
import { mapCode } from "./steps/map.ts";
import { acceptUnseen, reviewDraft } from "./steps/review.ts";
import { endSession, runSession } from "./steps/session.ts";

/** Performs one step after another until the plan is there, a person has to answer, or nothing more can be done. */
export async function drivePlanning(planning: PlanningSession): Promise<PlanningEnd> {
  try {
    for (;;) {
      planning.signal.throwIfAborted();
      const end = await perform(planning, nextStep(planning.state));
      if (end !== undefined) return end;
    }
  } catch (error) {
    if (planning.signal.aborted) return { kind: "interrupted" };
    throw error;
  }
}

async function perform(planning: PlanningSession, step: Step): Promise<PlanningEnd | undefined> {
  switch (step.type) {
    case "settle":
      return await endSession(planning, step.open);
    case "map":
      return await mapCode(planning);
    case "session":
      return await runSession(planning, step.phase);
    case "ask":
      return await askQuestions(planning, step.questions);
    case "assume":
      return await recordAnswers(planning, step.answers);
    case "assess":
      return await assessDraftNow(planning);
    case "review":
      return await reviewDraft(planning, step.isLast);
    case "accept":
      return acceptUnseen(planning);
    case "hand-over":
      return await handOverPlan(planning);
    case "end":
      return endPlanning(planning, step.end);
    default:
      return unreachable(step);
  }
}
