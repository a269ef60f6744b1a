import type { Outcome, ProcessIdentity, ProgramFacts, Spending } from "../../engine/session.ts";
import type { Role } from "../../plan/types.ts";
import type { DraftProblem } from "./assessment.ts";
import type { Finding, Inquiry } from "./session-output.ts";

/** A phase is one session of an agent; mapping the code and handing over the plan need no model. */
export type PlanningPhase = "interview" | "gaps" | "draft" | "critique";

/** The critique has a role of its own, so that settings can give it to another agent than the planner. */
export const roleOf = {
  interview: "planner",
  gaps: "planner",
  draft: "planner",
  critique: "reviewer",
} as const satisfies Readonly<Record<PlanningPhase, Role>>;

/** Everything that can happen in a planning session, one sentence each; its journal has these events and no others. */
export type PlanningEvent =
  /** A person, or a run, wants a plan for this goal, on this commit. */
  | {
      readonly type: "planning-started";
      readonly planning: string;
      /** The name it gets. */
      readonly plan: string;
      readonly goal: string;
      readonly base: string;
      /** The inputs, by their path next to the plan, such as `inputs/login.png`. */
      readonly inputs: readonly string[];
      readonly headless: boolean;
      /** The plan that is revised, and the unfinished run of it, if there is one; null where a new plan is made. */
      readonly revises: { readonly run: string | null; readonly words: string } | null;
    }
  /** Another process resumed it. */
  | { readonly type: "planning-continued"; readonly pid: number; readonly headless: boolean }
  /** What the code consists of was written down for all sessions. */
  | { readonly type: "mapped"; readonly files: number; readonly symbols: number; readonly tokens: number }
  /** An agent was started; its process is recorded before it does anything. */
  | {
      readonly type: "session-started";
      readonly phase: PlanningPhase;
      /** Counts from 1 over all phases. */
      readonly session: number;
      readonly process: ProcessIdentity;
      readonly marker: string;
    }
  /** The agent's session is over; what it left in the outbox is kept under its number. */
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
      /** What a critique found; null where it left no list, which does not mean that it found nothing. */
      readonly findings: readonly Finding[] | null;
      /** What it left and cannot be read, one line each. */
      readonly problems: readonly string[];
      /** What it changed in its throwaway clone: nothing of it is kept. */
      readonly dirty: readonly string[];
      /** The agent's name in the settings; absent where there was none. */
      readonly agent?: string;
      /** Absent where the agent's output does not show its tool calls. */
      readonly program?: ProgramFacts;
    }
  /** Open questions were answered by a person, or the recommendations were assumed. */
  | { readonly type: "questions-answered"; readonly answers: readonly Answered[] }
  /** Stint linted the draft and ran its checks on the base. */
  | { readonly type: "draft-assessed"; readonly session: number; readonly problems: readonly DraftProblem[] }
  /** A person, or a headless session, decided about the draft; `words` has what is to be revised or the diff of an edit, `decided` what the edit decided. */
  | {
      readonly type: "draft-judged";
      readonly word: DraftWord;
      readonly words: string;
      readonly decided?: readonly Asked[];
    }
  /** An accepted draft could not be put where it belongs; after a resume it is reviewed again. */
  | { readonly type: "hand-over-refused"; readonly why: string }
  /** The plan was written where it belongs. */
  | { readonly type: "handed-over"; readonly paths: readonly string[] }
  /** It is over without a plan; `words` says why. */
  | { readonly type: "planning-ended"; readonly why: "rejected" | "failed"; readonly words: string };

export type DraftWord = "accept" | "revise" | "edit" | "reject";

/** A question with what became of it; an empty answer leaves it open. */
export type Asked = Inquiry & Answered;

export interface Answered {
  readonly id: string;
  readonly answer: string;
  /** True where no person was asked. */
  readonly assumed: boolean;
}
