import { planningLimits } from "../limits.ts";
import type { Outcome } from "../../engine/session.ts";
import type { Answered, PlanningPhase } from "./events.ts";
import type { Inquiry } from "./session-output.ts";
import { openQuestions, type DraftState, type Over, type PlanningState } from "./state.ts";

/** The next step towards a plan. */
export type Step =
  /** Proves a session dead that a dead process recorded, or kills it. */
  | { readonly type: "settle"; readonly open: NonNullable<PlanningState["open"]> }
  | { readonly type: "map" }
  | { readonly type: "session"; readonly phase: PlanningPhase }
  /** Asks a person. */
  | { readonly type: "ask"; readonly questions: readonly Inquiry[] }
  /** Takes the recommendations, because the session is headless. */
  | { readonly type: "assume"; readonly answers: readonly Answered[] }
  | { readonly type: "assess" }
  /** Lets a person review the draft; where no session is left, it can still be accepted, edited or rejected. */
  | { readonly type: "review"; readonly isLast: boolean }
  /** Accepts the draft, because the session is headless. */
  | { readonly type: "accept" }
  | { readonly type: "hand-over" }
  | { readonly type: "end"; readonly end: Over | Halt };

/** A stop that `stint plan --continue` resumes. */
interface Halt {
  readonly kind: "halted";
  readonly why: string;
  readonly outcome: Outcome;
}

/** Decides the one thing that a planning session does next. */
export function nextStep(state: PlanningState): Step {
  const { over, open, halted, decision, headless, draft } = state;
  if (over !== null) return { type: "end", end: over };
  if (open !== null) return { type: "settle", open };
  if (decision === "reject") return { type: "end", end: { kind: "rejected", words: state.words } };
  if (halted !== null) return { type: "end", end: { kind: "halted", ...halted } };
  if (!state.mapped) return { type: "map" };
  const questions = openQuestions(state);
  if (questions.length > 0)
    return headless ? { type: "assume", answers: assumed(questions) } : { type: "ask", questions };
  return draft === null ? firstDraft(state) : withDraft(state, draft);
}

/** Assumes answers where no person is asked: the recommendation, else the first option, else nothing. */
export function assumed(questions: readonly Inquiry[]): Answered[] {
  return questions.map(({ id, options, recommend }) => ({ id, answer: recommend ?? options[0] ?? "", assumed: true }));
}

function firstDraft(state: PlanningState): Step {
  if (isSpent(state)) return exhausted(state);
  // A revision comes with words that say what is wanted; what is unclear can still be asked.
  const before: readonly PlanningPhase[] = state.revises === null ? ["interview", "gaps"] : [];
  return { type: "session", phase: before.find((phase) => !state.done.has(phase)) ?? "draft" };
}

function withDraft(state: PlanningState, draft: DraftState): Step {
  const isLast = isSpent(state);
  if (draft.stale && !isLast) return { type: "session", phase: "draft" };
  if (draft.problems === null) return { type: "assess" };
  if (state.decision === "accept") return { type: "hand-over" };
  const hasErrors = draft.problems.some(({ severity }) => severity === "error");
  if (hasErrors && draft.corrections < planningLimits.planningCorrectionsMax && !isLast)
    return { type: "session", phase: "draft" };
  if (!hasErrors && !state.done.has("critique") && !isLast) return { type: "session", phase: "critique" };
  return state.headless ? { type: "accept" } : { type: "review", isLast };
}

function isSpent({ sessions, interrupted }: PlanningState): boolean {
  return sessions - interrupted >= planningLimits.planningSessionsMax;
}

function exhausted({ sessions }: PlanningState): Step {
  const words = `all ${sessions} sessions of this planning session are used up`;
  return { type: "end", end: { kind: "failed", words } };
}
