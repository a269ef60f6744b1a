import type { Outcome } from "../../engine/session.ts";
import type { DraftProblem } from "../../planner/assessment.ts";
import type { PlanningState } from "../../planner/planning.ts";
import { fail, type Result } from "../../result.ts";
import type { Project } from "../project.ts";
import type { Listener } from "../real-sessions.ts";
import type { Dialog, PlanningObserver } from "./contract.ts";

/** What somebody wants a plan for. */
export interface PlanningRequest {
  readonly goal: string;
  readonly name?: string;
  /** Paths as typed, relative to `cwd`. */
  readonly inputs: readonly string[];
  readonly cwd: string;
  readonly headless: boolean;
  readonly revises: { readonly plan: string; readonly run: string | null; readonly words: string } | null;
}

/** A planning that this process drives. */
export interface OpenedPlanning {
  readonly id: string;
  readonly plan: string;
  readonly folder: string;
  /** As all that happened so far makes it; it changes while the planning is driven. */
  readonly state: PlanningState;
  readonly drive: (options: {
    readonly dialog: Dialog | null;
    readonly observe: PlanningObserver;
    readonly hear?: Listener;
    readonly signal: AbortSignal;
  }) => Promise<PlanningEnd>;
  readonly close: () => void;
}

/** Where a planning stopped; `waits` and `failed` can be gone on with. */
export type PlanningEnd =
  | { readonly kind: "handed-over"; readonly paths: readonly string[]; readonly problems: readonly DraftProblem[] }
  | { readonly kind: "waits"; readonly for: "answers" | "judgement"; readonly why: string }
  | { readonly kind: "rejected" }
  | { readonly kind: "interrupted" }
  | { readonly kind: "failed"; readonly why: string; readonly outcome: Outcome | null };

/** Begins a planning on the commit that is checked out. */
export async function beginPlanning(_project: Project, _request: PlanningRequest): Promise<Result<OpenedPlanning>> {
  return fail("not-yet", "plannings are being built");
}

/** Takes up the newest planning that is not over, of one plan or of all. */
export async function continuePlanning(
  _project: Project,
  _options: { readonly plan?: string; readonly headless: boolean },
): Promise<Result<OpenedPlanning>> {
  return fail("not-yet", "plannings are being built");
}
