import { enter } from "./enter.ts";
import { isOver, taskOf, type RunState } from "./state.ts";

/** Whether agents may work on a task, as far as it is a question of what was asked for. */
export function isAsked({ settings: { only } }: RunState, id: string): boolean {
  return only === null || only.includes(id);
}

/** Whether all that was asked for is done, and it was less than the whole plan. */
export function isAskedDone(state: RunState): boolean {
  return state.settings.only?.every((id) => isOver(taskOf(state, id).phase)) === true;
}

/** What is not done then, in words. */
export function whatIsLeft(state: RunState): string {
  const open = [...state.tasks.values()].filter((task) => !isOver(task.phase));
  const idsOf = (byHand: boolean) => open.filter((task) => task.byHand === byHand).map((task) => task.spec.id);
  const [taken, rest] = [idsOf(true).join(", "), idsOf(false).join(", ")];
  const parts = [taken === "" ? "" : `taken by hand: ${taken}`, rest === "" ? "" : `not asked for: ${rest}`];
  return parts.filter(Boolean).join("; ");
}

/**
 * What a run goes on with that is taken up again without other words: with what was asked for as long as agents have
 * something to do about it, so that a crash does not make one task a whole plan; then with everything.
 */
export function stillAsked(state: RunState): readonly string[] | null {
  const { only } = state.settings;
  const isOpen = (id: string) => !isOver(taskOf(state, id).phase) && !taskOf(state, id).byHand;
  return only?.some(isOpen) === true ? only : null;
}

/** What a driver that died had only begun waits again until it is asked for; it must hold no lane and no files. */
export function leaveUnasked(state: RunState) {
  for (const id of state.active) {
    const { phase, byHand } = taskOf(state, id);
    const hasOnlyBegun = phase === "started" || phase === "baselined";
    if (hasOnlyBegun && !byHand && !isAsked(state, id)) enter(state, id, "pending");
  }
}
