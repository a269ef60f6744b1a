import type { AssessedDraft } from "./machine/assessment.ts";
import type { Answered, Asked, DraftWord, PlanningEvent } from "./machine/events.ts";
import type { Finding, Inquiry, Left } from "./machine/session-output.ts";
import type { Standing } from "./machine/revise.ts";

/** How a person takes part in a planning; without one, nobody is asked. */
export interface Dialog {
  /** Null where nobody can answer now: the questions lie in a file, and the planning waits. */
  readonly ask: (questions: readonly Inquiry[]) => Promise<readonly Answered[] | null>;
  /** Shows the draft with all that is left to say about it, and hears what becomes of it; null as above. */
  readonly review: (shown: Reviewed) => Promise<Judged | null>;
}

/** What a person judges a draft by. */
export interface Reviewed {
  readonly plan: string;
  /** Where its documents lie now, as files that an editor can open. */
  readonly folder: string;
  readonly assessed: AssessedDraft;
  /** Of the critique; null where there was none. */
  readonly findings: readonly Finding[] | null;
  /** The plan that is revised, by name inside its folder: only what differs from it is shown; null for a new one. */
  readonly revises: ReadonlyMap<string, Uint8Array> | null;
  /** No session is left that could make another draft. */
  readonly isLast: boolean;
}

export interface Judged {
  readonly word: DraftWord;
  /** Of a revision. */
  readonly words: string;
}

/** Told of every event of a planning once it is durable. */
export type PlanningObserver = (event: PlanningEvent & { readonly at: string }) => void;

/** What a draft is assessed against. */
export interface AssessRequest {
  /** The plan's name. */
  readonly plan: string;
  /** The commit it is for: HEAD, or the tip of the run whose plan is revised. */
  readonly base: string;
  readonly left: Left;
  /** By their place next to the plan, such as `inputs/login.png`. */
  readonly inputs: ReadonlyMap<string, Uint8Array>;
  /** What was asked, with what was answered. */
  readonly answered: readonly Asked[];
  readonly revises: Standing | null;
  readonly signal: AbortSignal;
}
