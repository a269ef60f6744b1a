import type { Ranked } from "./ranked.ts";
import { isOver, taskOf, type Phase, type RunState } from "./state.ts";

/** Moves a task to a phase. Nothing else does, so the indexes and counts always agree with the phases. */
export function enter(state: RunState, id: string, phase: Phase) {
  const task = taskOf(state, id);
  count(state, task.phase, -1);
  task.phase = phase;
  count(state, phase, 1);
  const isHeld = phase === "taken" || phase === "waiting";
  setMember(state.active, id, phase !== "pending" && phase !== "blocked" && !isHeld && !isOver(phase));
  setMember(state.held, id, isHeld);
  if (!state.active.has(id) && !isHeld) state.meetings.forget(id);
  setMember(state.ready, id, phase === "pending" && task.unmet === 0 && !task.byHand);
  setMember(state.called, id, phase === "pending" && task.byHand);
  setMember(state.queue, id, isQueued(phase));
  if (isOver(phase) && task.reopens === 0) meet(state, id);
}

function isQueued(phase: Phase): boolean {
  return phase === "candidate" || phase === "judging" || phase === "passed" || phase === "integrating";
}

function count(state: RunState, phase: Phase, by: 1 | -1) {
  if (phase === "blocked" || phase === "integrated" || phase === "satisfied") state.counts[phase] += by;
}

function meet(state: RunState, id: string) {
  for (const dependant of state.dependants.get(id) ?? []) {
    const task = taskOf(state, dependant);
    task.unmet -= 1;
    if (task.phase === "pending" && task.unmet === 0) state.ready.add(dependant);
  }
}

function setMember(set: Pick<Set<string>, "add" | "delete"> | Ranked, id: string, member: boolean) {
  if (member) set.add(id);
  else set.delete(id);
}
