import type { RunState, TaskState } from "../../engine/state.ts";
import { blockedRoots, whyPending } from "../../engine/waiting.ts";
import { limits } from "../../limits.ts";
import { shown } from "./words.ts";

/** A task that has not begun. */
export interface NextRow {
  readonly id: string;
  readonly title: string;
  /** Null where it begins as soon as it can. */
  readonly why: string | null;
}

/** Who starts next, best first, then who waits for what is under way; never the whole plan, which may be long. */
export function nextOf(state: RunState, underWay: ReadonlySet<string>): NextRow[] {
  const ids = new Set<string>();
  for (const id of state.ready) if (ids.add(id).size >= rowsMax) break;
  if (ids.size < rowsMax) for (const id of behind(state, underWay)) if (ids.add(id).size >= rowsMax) break;
  if (ids.size === 0) return [];
  const roots = state.counts.blocked === 0 ? new Map<string, string>() : blockedRoots(state);
  return [...ids].flatMap((id) => {
    const task = state.tasks.get(id);
    if (task === undefined) return [];
    const why = whyPending(state, task, roots);
    return [{ id, title: shown(task.spec.title), why: why === null ? null : shown(why) }];
  });
}

/** What fits on a tall terminal beside the rest. */
const rowsMax = 12;

/** Those for which the least is missing come first. */
function behind({ tasks, dependants, ready }: RunState, underWay: ReadonlySet<string>): string[] {
  const found: TaskState[] = [];
  for (const of of [...ready, ...underWay]) {
    for (const id of dependants.get(of) ?? []) {
      const task = tasks.get(id);
      if (task?.phase === "pending") found.push(task);
      if (found.length >= limits.viewNextLooksMax) break;
    }
  }
  return found.toSorted((a, b) => a.unmet - b.unmet || a.rank - b.rank).map(({ spec }) => spec.id);
}
