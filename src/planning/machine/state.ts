import type { Outcome, Spending } from "../../engine/session.ts";
import type { DraftProblem } from "./assessment.ts";
import type { Answered, Asked, PlanningEvent, PlanningPhase } from "./events.ts";
import type { Finding, Inquiry } from "./session-output.ts";

export type EventOf<T extends PlanningEvent["type"]> = Extract<PlanningEvent, { readonly type: T }>;

/** How a planning stands, as its journal tells. */
export interface PlanningState extends Omit<EventOf<"planning-started">, "type"> {
  readonly mapped: boolean;
  /** Started so far, over all phases and processes. */
  readonly sessions: number;
  readonly sessionsOf: Readonly<Record<PlanningPhase, number>>;
  /** Of those started, the ones that Stint itself broke off; they count against no bound. */
  readonly interrupted: number;
  /** Recorded, and not over as far as anybody knows. */
  readonly open: EventOf<"session-started"> | null;
  /** Phases that went well; each is done once, but for drafts. */
  readonly done: ReadonlySet<PlanningPhase>;
  /** Sessions in a row that failed. */
  readonly failures: number;
  /** Why nothing goes on until somebody takes it up again; null where it goes on. */
  readonly halted: { readonly why: string; readonly outcome: Outcome } | null;
  /** All that was ever asked, in order. */
  readonly inquiries: readonly Inquiry[];
  readonly answers: ReadonlyMap<string, Answered>;
  readonly draft: DraftState | null;
  /** Which session left the documents that stand now, be it a draft or only its scope. */
  readonly documents: { readonly session: number; readonly phase: PlanningPhase } | null;
  /** Of the critique; null where there was none, or none that can be read. */
  readonly findings: readonly Finding[] | null;
  /** What the next draft is to take in, and has not yet. */
  readonly words: string;
  readonly judged: EventOf<"draft-judged">["word"] | null;
  readonly usage: Spending;
  readonly over: Over | null;
}

/** The draft that stands now. */
export interface DraftState {
  /** Which session left it. */
  readonly session: number;
  /** Null where nobody has looked yet. */
  readonly problems: readonly DraftProblem[] | null;
  /** Sessions that were told of errors, since the last new reason for a draft. */
  readonly corrections: number;
  /** Whether something that it does not know yet makes another one due: findings, a person's words, an answer. */
  readonly stale: boolean;
}

export type Over =
  | { readonly kind: "handed-over"; readonly paths: readonly string[] }
  | { readonly kind: "rejected" | "failed"; readonly words: string };

/** Questions that nobody has answered yet. */
export function openQuestions({ inquiries, answers }: PlanningState): Inquiry[] {
  return inquiries.filter(({ id }) => !answers.has(id));
}

/** What was asked, with what was answered, in the order of asking. */
export function answeredQuestions({ inquiries, answers }: PlanningState): Asked[] {
  return inquiries.flatMap((inquiry) => {
    const answer = answers.get(inquiry.id);
    return answer === undefined ? [] : [{ ...inquiry, ...answer }];
  });
}

/** Whether a finding sends a draft back. */
export function isGrave({ severity }: Pick<Finding, "severity">): boolean {
  return severity !== "minor";
}
