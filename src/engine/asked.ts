import { enter, isOver, taskOf, type RunState } from "./state.ts";

/** Whether a task is among those that agents were asked to do. */
export function isAsked({ settings: { only } }: RunState, id: string): boolean {
  return only === null || only.includes(id);
}

/** Whether part of the plan was asked for, and all of that part is done. */
export function isAskedDone(state: RunState): boolean {
  return state.settings.only?.every((id) => isOver(taskOf(state, id).phase)) === true;
}

/** Whether nothing proves some of what was asked for: its checks were green before any work. */
export function isAskedUnproven({ settings: { only }, tasks }: RunState): boolean {
  return only?.some((id) => tasks.get(id)?.phase === "satisfied") === true;
}

/** Says why the run is no success although all that was asked for is done: a check turned red, and the task that has to fix it was not asked for. */
export function whyLeftRed(state: RunState): string | undefined {
  const left = [...state.tasks.values()].filter(
    ({ phase, regressions }) => phase === "pending" && regressions.length > 0,
  );
  const reds = left.flatMap(({ regressions }) => regressions.map(({ label, why }) => `${label} (${why})`));
  return reds.length === 0 ? undefined : `not green on the final tip: ${reds.join("; ")}; ${whatIsLeft(state)}`;
}

/** Describes the tasks that are not done. */
export function whatIsLeft(state: RunState): string {
  const open = [...state.tasks.values()].filter((task) => !isOver(task.phase));
  const idsOf = (byHand: boolean) => open.filter((task) => task.byHand === byHand).map((task) => task.spec.id);
  const [taken, rest] = [idsOf(true).join(", "), idsOf(false).join(", ")];
  const parts = [taken === "" ? "" : `taken by hand: ${taken}`, rest === "" ? "" : `not asked for: ${rest}`];
  return parts.filter(Boolean).join("; ");
}

/**
 * Chooses the tasks that a run resumes with where the person names none: those asked for before, as long as agents have
 * something to do about them, so that a crash does not turn one task into a whole plan; then everything.
 */
export function stillAsked(state: RunState): readonly string[] | null {
  const { asked } = state;
  const isOpen = (id: string) => !isOver(taskOf(state, id).phase) && !taskOf(state, id).byHand;
  return asked?.some(isOpen) === true ? asked : null;
}

/** A task that a dead driver had only started, and that nobody asks for now, waits again: it must occupy no lane and no files. */
export function leaveUnasked(state: RunState) {
  for (const id of state.active) {
    const { phase, byHand } = taskOf(state, id);
    const hasOnlyBegun = phase === "started" || phase === "baselined";
    if (hasOnlyBegun && !byHand && !isAsked(state, id)) enter(state, id, "pending");
  }
}
