import type { Outcome, Spending } from "../../engine/session.ts";
import type { DraftProblem } from "./assessment.ts";
import type { Answered, Asked, PlanningEvent, PlanningPhase } from "./events.ts";
import type { Finding, Inquiry } from "./session-output.ts";

export type EventOf<T extends PlanningEvent["type"]> = Extract<PlanningEvent, { readonly type: T }>;

/** The state of a planning session, as its journal records it. */
export interface PlanningState extends Omit<EventOf<"planning-started">, "type"> {
  readonly mapped: boolean;
  /** Sessions started so far, over all phases and processes. */
  readonly sessions: number;
  readonly sessionsOf: Readonly<Record<PlanningPhase, number>>;
  /** Sessions that Stint itself interrupted; they count against no bound. */
  readonly interrupted: number;
  /** The session that was recorded as started and not as ended. */
  readonly open: EventOf<"session-started"> | null;
  /** Phases that succeeded; each is done once, except drafts. */
  readonly done: ReadonlySet<PlanningPhase>;
  /** Sessions in a row that failed. */
  readonly failures: number;
  /** The false start that the last session made; null where it made none. */
  readonly falseStart: string | null;
  /** Why nothing happens until the planning session is resumed; null where it can continue. */
  readonly halted: { readonly why: string; readonly outcome: Outcome } | null;
  /** All questions so far, in order. */
  readonly inquiries: readonly Inquiry[];
  readonly answers: ReadonlyMap<string, Answered>;
  readonly draft: DraftState | null;
  /** Which session left the current documents, be it a draft or only its scope. */
  readonly documents: { readonly session: number; readonly phase: PlanningPhase } | null;
  /** What the critique found; null where there was none, or none that can be read. */
  readonly findings: readonly Finding[] | null;
  /** What the next draft has to take into account. */
  readonly words: string;
  /** What was decided about the draft, where that is still to be carried out. */
  readonly decision: EventOf<"draft-judged">["word"] | null;
  readonly usage: Spending;
  readonly over: Over | null;
}

export interface DraftState {
  /** Which session left it. */
  readonly session: number;
  /** Null where it is not assessed yet. */
  readonly problems: readonly DraftProblem[] | null;
  /** Sessions that got its errors to fix, since the last new reason for a draft. */
  readonly corrections: number;
  /** Whether something it does not take into account yet needs another draft: findings, a person's words, an answer. */
  readonly stale: boolean;
}

export type Over =
  | { readonly kind: "handed-over"; readonly paths: readonly string[] }
  | { readonly kind: "rejected" | "failed"; readonly words: string };

/** Returns the questions without an answer. */
export function openQuestions({ inquiries, answers }: PlanningState): Inquiry[] {
  return inquiries.filter(({ id }) => !answers.has(id));
}

/** Returns the questions with their answers, in the order of asking. */
export function answeredQuestions({ inquiries, answers }: PlanningState): Asked[] {
  return inquiries.flatMap((inquiry) => {
    const answer = answers.get(inquiry.id);
    return answer === undefined ? [] : [{ ...inquiry, ...answer }];
  });
}

/** Tells whether a finding sends a draft back. */
export function isGrave({ severity }: Pick<Finding, "severity">): boolean {
  return severity !== "minor";
}
