import type { Outcome } from "../engine/session.ts";
import type { PlanningPaths } from "../project/paths.ts";
import type { AssessedDraft, DraftProblem } from "./machine/assessment.ts";
import type { PlanningEvent } from "./machine/events.ts";
import type { DraftState, PlanningState } from "./machine/state.ts";
import type { PlanningPorts } from "./ports.ts";
import type { PlannerBriefing } from "./prompts/planner.ts";

/** What every step of a planning session gets: its materials, the ports, and the one way to append to its journal. */
export interface PlanningSession {
  /** Kept up to date by `append`. */
  readonly state: PlanningState;
  /** When this returns, the event is durable. */
  readonly append: (event: PlanningEvent) => void;
  readonly paths: PlanningPaths;
  readonly materials: Pick<PlannerBriefing, "prompts" | "project" | "rules" | "inputs" | "revision">;
  readonly ports: PlanningPorts;
  readonly signal: AbortSignal;
  /** The draft of that session as it was last assessed; after a crash it is assessed again. */
  assessed: { readonly session: number; readonly draft: AssessedDraft } | null;
}

/** Why a planning session stopped; one that waits or failed can be resumed. */
export type PlanningEnd =
  | { readonly kind: "handed-over"; readonly paths: readonly string[]; readonly problems: readonly DraftProblem[] }
  | { readonly kind: "waits"; readonly for: "answers" | "review" }
  | { readonly kind: "rejected" }
  | { readonly kind: "interrupted" }
  | { readonly kind: "failed"; readonly why: string; readonly outcome: Outcome | null };

/** Returns the draft that a step needs; `nextStep` chooses such a step only where there is one. */
export function expectDraft({ draft }: PlanningState): DraftState {
  if (draft === null) throw new Error("Internal error: expected a draft, but was null");
  return draft;
}
