import type { Action } from "./action.ts";
import { judgingOf, openQuestion } from "./judging.ts";
import { heldTasks, isMoot, nextRevision } from "./replan.ts";
import { hasLanded, isBarred, type RunState } from "./state.ts";
import { ontoOf } from "./train.ts";
import { unreachable } from "../base/result.ts";

/** Whether the state has moved past a running action: the run is stopped or paused, the commit it builds on is no longer the one to land on, or another plan is about to take effect. */
export function isObsolete(state: RunState, action: Action): boolean {
  if (state.stopped !== null || state.paused) return true;
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

/** Whether the work of every task has landed. */
export function isComplete(state: RunState): boolean {
  return [...state.tasks.values()].every(hasLanded);
}

function isStillAsked(state: RunState, { of, question }: Extract<Action, { type: "judge" }>): boolean {
  if (of === null ? !isComplete(state) || state.replanning.accepted !== null : isBarred(state, of)) return false;
  const judging = judgingOf(state, of);
  return judging !== null && openQuestion(judging) === question;
}
