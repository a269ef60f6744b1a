import type { CheckEvidence, GuardEvidence } from "../../engine/evidence.ts";
import type { EventOf } from "../../engine/events.ts";
import type { Attempt } from "../../engine/attempt.ts";
import type { TaskState } from "../../engine/state.ts";
import { runLimits } from "../limits.ts";
import type { Task } from "../../plan/types.ts";
import { describeGuards } from "../../checks/describe.ts";
import type { Run } from "../run.ts";

/** What is verified: a candidate on the commit it would land on. */
export interface Subject {
  readonly run: Run;
  /** The task, with the files granted to it since. */
  readonly task: Task;
  readonly state: TaskState;
  readonly attempt: Attempt;
  readonly candidate: string;
  readonly tip: string;
  readonly signal: AbortSignal;
}

/** A verdict without its attempt. One that is true on any tip may name another commit. */
export type Conclusion = Omit<EventOf<"verdict">, "type" | "task" | "attempt" | "tip"> & { readonly tip?: string };

/** Guards refuse the work. */
export function violated(guards: readonly GuardEvidence[]): Conclusion {
  return failed({ reason: "guard", why: describeGuards(guards), guards: guards.slice(0, runLimits.pathsJournaledMax) });
}

/** The work costs an attempt. */
export function failed(parts: Pick<Conclusion, "reason" | "why"> & Partial<Conclusion>): Conclusion {
  return { result: "failed", placed: null, guards: [], checks: [], ...parts };
}

/** Nobody is to blame: the work and that of others do not go together. */
export function conflict(why: string, others: readonly string[], checks: readonly CheckEvidence[] = []): Conclusion {
  return { result: "conflict", reason: "conflict", why, placed: null, guards: [], checks, with: others };
}
