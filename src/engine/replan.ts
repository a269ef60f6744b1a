import type { Action, Asking } from "./action.ts";
import { isAsked } from "./asked.ts";
import { whyRunCapped } from "./budget.ts";
import type { BlockKind, Revision } from "./events.ts";
import { isOver, type RunState, type TaskState } from "./state.ts";
import { findCycle } from "../plan/graph.ts";
import type { Spending } from "./session.ts";

/** How the plan of a run is revised. The state's own `planHash` stays that of the plan it was started with. */
export interface Replanning {
  /** The revision in effect; null while that is the plan the run was started with. */
  inForce: Pick<Revision, "revision" | "commit" | "planHash"> | null;
  /** The number of the latest revision, whether the run or a person asked for it. */
  latest: number;
  /** How many revisions the run asked for by itself. */
  asked: number;
  /** The revision that a planner works on now, and what was recorded as spent on it. */
  open: { readonly revision: number; readonly tasks: readonly string[]; readonly spent: Spending } | null;
  proposal: Revision | null;
  /** A revision that is accepted, until the tasks that it changes or removes are free. */
  accepted: (Revision & { readonly by: string | null }) | null;
  /** The commits of revisions that were accepted, refused or replaced: an approval of them no longer counts. */
  readonly spent: Set<string>;
  /** How far each task had come that a revision removed or changed: if it comes back, its attempts keep counting. */
  readonly retired: Map<string, Pick<TaskState, "attempts" | "uncounted" | "usage">>;
}

/** Returns what is due about the plan itself, one revision at a time: first what was accepted, then what is proposed, then what has to be asked for. */
export function planActions(state: RunState): Action[] {
  const { accepted, proposal, open } = state.replanning;
  if (open !== null && isMoot(state)) {
    const why =
      accepted === null ? `${open.tasks.join(", ")} no longer needs another plan` : "another plan was accepted";
    return [{ type: "end-replan", revision: open.revision, why }];
  }
  const chosen = accepted ?? proposal;
  if (chosen === null) return asksForPlan(state);
  const { revision, commit } = chosen;
  const why = whyUnfit(state, chosen);
  if (why !== undefined) return [{ type: "record", event: { type: "revision-dropped", revision, why } }];
  if (accepted !== null) return heldTasks(state).length === 0 ? [{ type: "adopt", revision, commit }] : [];
  if (state.settings.replan !== "auto") return [];
  return [{ type: "record", event: { type: "revision-accepted", ...chosen, by: null } }];
}

/** Whether the planner's work would be of no use: a person has helped the tasks in another way, or has accepted another plan. */
export function isMoot(state: RunState): boolean {
  return state.replanning.accepted !== null || askingTasks(state).length === 0;
}

function asksForPlan(state: RunState): Action[] {
  const isHeldUp = state.holds.has("planner") || whyRunCapped(state) !== undefined;
  if (isHeldUp || !isReplanWanted(state)) return [];
  return [{ type: "replan", revision: nextRevision(state), asking: askingTasks(state) }];
}

/** Returns the number of the revision that a planner works on, or would work on next. */
export function nextRevision({ replanning: { open, latest } }: RunState): number {
  return open?.revision ?? latest + 1;
}

/** Whether the run wants another plan, as soon as the caps and the planner's agent allow it. */
export function isReplanWanted(state: RunState): boolean {
  const { proposal, accepted } = state.replanning;
  if (state.settings.replan === "never" || proposal !== null || accepted !== null) return false;
  return askingTasks(state).length > 0;
}

/** Lists the tasks that a planner is asked about now, or would be asked about next. */
function askingTasks(state: RunState): Asking[] {
  const { open, asked } = state.replanning;
  if (state.counts.blocked === 0 || (open === null && asked >= state.settings.replanMax)) return [];
  const isMeant = ({ spec: { id }, replan }: TaskState) =>
    open === null ? replan === null && isAsked(state, id) : open.tasks.includes(id);
  return [...state.tasks.values()]
    .filter((task) => isHopeless(task) && isMeant(task))
    .map(({ spec, blocked }) => ({ task: spec.id, why: blocked?.why ?? "" }));
}

/** A task that has landed cannot be planned differently any more. */
function isHopeless({ phase, blocked, commit }: TaskState): boolean {
  return phase === "blocked" && commit === null && blocked !== null && asksForAnother.has(blocked.kind);
}

const asksForAnother: ReadonlySet<BlockKind> = new Set(["exhausted", "too-big", "reported-infeasible"]);

/** Lists the tasks that the accepted revision changes or removes and that are not free yet: a session, a judge, the run's ref or a person is busy with them. */
export function heldTasks(state: RunState): TaskState[] {
  const changes = state.replanning.accepted?.changes ?? [];
  return changes
    .flatMap(({ id }) => state.tasks.get(id) ?? [])
    .filter(({ spec: { id }, phase, byHand }) => {
      const isJudged = (state.judges.get(id)?.open ?? null) !== null;
      return byHand || isJudged || phase === "working" || phase === "ended" || phase === "integrating";
    });
}

/** Says why a revision cannot take effect; it completes the sentence "revision 2 is dropped: …". */
export function whyUnfit(
  { tasks: present }: Pick<RunState, "tasks">,
  { tasks, changes }: Pick<Revision, "tasks" | "changes">,
): string | undefined {
  if (tasks.length === 0) return "it has no tasks";
  const ids = new Set(tasks.map(({ id }) => id));
  for (const { id, change } of changes) {
    const task = present.get(id);
    if ((task !== undefined) !== (change !== "added") || ids.has(id) !== (change !== "removed"))
      return `${id} cannot be ${change}`;
    if (task !== undefined && (isOver(task.phase) || task.commit !== null))
      return `${id} would be ${change}, but its work has landed`;
  }
  const named = new Set(changes.map(({ id }) => id));
  const odd = [...ids, ...present.keys()].find((id) => !named.has(id) && !(ids.has(id) && present.has(id)));
  if (odd !== undefined) return `it does not say what becomes of ${odd}`;
  const lost = tasks.find(({ depends }) => depends.some((id) => !ids.has(id)));
  if (lost !== undefined) return `${lost.id} would depend on a task that does not exist`;
  const cycle = findCycle(tasks);
  return cycle === undefined ? undefined : `its tasks would depend on each other: ${cycle.join(", ")}`;
}
