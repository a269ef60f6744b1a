import type { Outcome, ProcessIdentity, Spending } from "../../engine/session.ts";
import type { Role } from "../../plan/types.ts";
import type { DraftProblem } from "./assessment.ts";
import type { Finding, Inquiry } from "./session-output.ts";

/** A session of a planning; mapping the code and handing the plan over need no model. */
export type PlanningPhase = "interview" | "gaps" | "draft" | "critique";

/** Who works in a phase. */
export const roleOf = {
  interview: "planner",
  gaps: "planner",
  draft: "planner",
  critique: "reviewer",
} as const satisfies Readonly<Record<PlanningPhase, Role>>;

/** Everything that can happen while a plan is made, one sentence each; a planning's journal holds these and nothing else. */
export type PlanningEvent =
  /** Somebody wants a plan for this goal, on this commit. */
  | {
      readonly type: "planning-started";
      readonly planning: string;
      /** The name it gets. */
      readonly plan: string;
      readonly goal: string;
      readonly base: string;
      /** By their place next to the plan, such as `inputs/login.png`. */
      readonly inputs: readonly string[];
      readonly headless: boolean;
      /** The plan that is revised, and the unfinished run of it, if there is one; null where a new plan is made. */
      readonly revises: { readonly run: string | null; readonly words: string } | null;
    }
  /** Another process goes on with it. */
  | { readonly type: "planning-continued"; readonly pid: number; readonly headless: boolean }
  /** What the code consists of was written down for all sessions. */
  | { readonly type: "mapped"; readonly files: number; readonly symbols: number; readonly tokens: number }
  /** An agent was started; its process is recorded before it does anything. */
  | {
      readonly type: "session-started";
      readonly phase: PlanningPhase;
      /** From 1, over all phases. */
      readonly session: number;
      readonly process: ProcessIdentity;
      readonly marker: string;
    }
  /** Its session is over; what it left in the outbox is kept under its number. */
  | {
      readonly type: "session-ended";
      readonly phase: PlanningPhase;
      readonly session: number;
      readonly outcome: Outcome;
      readonly usage: Spending;
      readonly durationMs: number;
      readonly questions: readonly Inquiry[];
      readonly hasScope: boolean;
      /** Whether it left a plan.md or a task. */
      readonly hasDraft: boolean;
      /** Of a critique; null where it left none, which is no praise. */
      readonly findings: readonly Finding[] | null;
      /** What was left and cannot be read, one line each. */
      readonly problems: readonly string[];
      /** What it changed in its throwaway clone: nothing of it is kept. */
      readonly dirty: readonly string[];
    }
  /** Open questions were answered, by a person or by nobody: then the recommendation is assumed. */
  | { readonly type: "questions-answered"; readonly answers: readonly Answered[] }
  /** The harness linted the draft and ran its checks on the base. */
  | { readonly type: "draft-assessed"; readonly session: number; readonly problems: readonly DraftProblem[] }
  /** A person (or, headless, nobody) said what becomes of the draft; `words` of a revision, the difference of an edit, and what was decided by it. */
  | {
      readonly type: "draft-judged";
      readonly word: DraftWord;
      readonly words: string;
      readonly decided?: readonly Asked[];
    }
  /** An accepted draft could not be put where it belongs; whoever goes on judges it again. */
  | { readonly type: "hand-over-refused"; readonly why: string }
  /** The plan was written where it belongs. */
  | { readonly type: "handed-over"; readonly paths: readonly string[] }
  /** It cannot go on; `words` says why. */
  | { readonly type: "planning-ended"; readonly why: "rejected" | "failed"; readonly words: string };

export type DraftWord = "accept" | "revise" | "edit" | "reject";

/** A question with what became of it; an empty answer leaves it open. */
export type Asked = Inquiry & Answered;

export interface Answered {
  readonly id: string;
  readonly answer: string;
  /** Nobody was asked. */
  readonly assumed: boolean;
}
