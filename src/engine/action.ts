import type { ParkReason, RunEvent } from "./events.ts";
import { judgingOf, openQuestion } from "./judging.ts";
import { heldTasks, isMoot, nextRevision } from "./replan.ts";
import { isBarred, isComplete, type RunState } from "./state.ts";
import { ontoOf } from "./train.ts";
import { unreachable } from "../base/result.ts";

/** What to do next, as data. `record` is a conclusion: nothing is left to do but to journal it. */
export type Action =
  | { readonly type: "record"; readonly event: RunEvent }
  | {
      readonly type: "baseline" | "give" | "work" | "end-session" | "collect" | "settle-scope" | "integrate";
      readonly task: string;
    }
  | { readonly type: "verify"; readonly task: string; readonly onto: string }
  /** `of` names a task, or is null for the plan. A task may be judged and verified on another tip at the same time. */
  | { readonly type: "judge"; readonly of: string | null; readonly question: string }
  | { readonly type: "end-judge"; readonly of: string | null }
  | { readonly type: "publish" | "push" | "final-verify" | "bisect" }
  /** Asks a planner for another plan, or resumes that after a crash or a wait. */
  | { readonly type: "replan"; readonly revision: number; readonly asking: readonly Asking[] }
  /** The plan that a planner works on is no longer needed: its sessions end, and what they used is recorded. */
  | { readonly type: "end-replan"; readonly revision: number; readonly why: string }
  /** Reads the plan of an accepted revision, which is in effect from then on. */
  | { readonly type: "adopt"; readonly revision: number; readonly commit: string }
  | Park;

/** A task that could not be done as it is planned. */
export interface Asking {
  readonly task: string;
  readonly why: string;
}

/** The run waits, because nothing can be done now. */
export interface Park {
  readonly type: "park";
  readonly reason: ParkReason;
  readonly why: string;
  /** When the wait is over, as the agent reported it; the run waits until then, but at least `afterMs`. */
  readonly until: string | null;
  /** The least time to wait; null means that the run waits for a person. */
  readonly afterMs: number | null;
}

/** Whether the state has moved past a running action: the run is stopped, or paused with nothing of this left to finish, the commit it builds on is no longer the one to land on, or another plan is about to take effect. */
export function isObsolete(state: RunState, action: Action): boolean {
  if (state.stopped !== null || (state.paused && !isFinishing(state, action))) return true;
  switch (action.type) {
    case "final-verify":
    case "bisect":
      return !isComplete(state) || state.replanning.accepted !== null;
    case "baseline":
    case "work":
    case "settle-scope":
      return isBarred(state, action.task);
    case "verify":
      return ontoOf(state, action.task) !== action.onto;
    case "judge":
      return !isStillAsked(state, action);
    case "replan":
      return nextRevision(state) !== action.revision || isMoot(state);
    case "adopt":
      return state.replanning.accepted?.revision !== action.revision || heldTasks(state).length > 0;
    case "record":
    case "give":
    case "end-session":
    case "collect":
    case "integrate":
    case "end-judge":
    case "end-replan":
    case "publish":
    case "push":
    case "park":
      return false;
    default:
      return unreachable(action);
  }
}

function isFinishing({ finishing }: RunState, action: Action): boolean {
  return "task" in action && finishing.has(action.task);
}

function isStillAsked(state: RunState, { of, question }: Extract<Action, { type: "judge" }>): boolean {
  if (of === null ? !isComplete(state) || state.replanning.accepted !== null : isBarred(state, of)) return false;
  const judging = judgingOf(state, of);
  return judging !== null && openQuestion(judging) === question;
}
