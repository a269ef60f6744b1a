import type { RunState, TaskState } from "../../engine/state.ts";
import { blockedRoots, whyPending } from "../../engine/waiting.ts";
import { cliLimits } from "../limits.ts";
import { shown } from "./format.ts";

/** A task that has not started. */
export interface NextRow {
  readonly id: string;
  readonly title: string;
  /** Computed only for rows that are shown: finding a running task that may touch the same files takes time. */
  readonly why: () => string;
}

/** The tasks that start next, best first, then those that wait for running ones; never the whole plan, which may be long. */
export function nextOf(state: RunState, underWay: ReadonlySet<string>): NextRow[] {
  const ids = new Set<string>();
  for (const id of state.ready) if (ids.add(id).size >= rowsMax) break;
  if (ids.size < rowsMax) for (const id of behind(state, underWay)) if (ids.add(id).size >= rowsMax) break;
  const roots = state.counts.blocked === 0 ? new Map<string, string>() : blockedRoots(state);
  return [...ids].flatMap((id) => {
    const task = state.tasks.get(id);
    if (task === undefined) return [];
    const why = () => shown(whyPending(state, task, roots) ?? "starts next");
    return [{ id, title: shown(task.spec.title), why }];
  });
}

/** As many as fit on a tall terminal with the rest. */
const rowsMax = 12;

/** The tasks that wait for these, then those that wait for them, and so on; the ones with the fewest open dependencies first. */
function behind(state: RunState, underWay: ReadonlySet<string>): string[] {
  const found = new Set<string>();
  let looks = 0;
  for (let ahead = [...state.ready, ...underWay]; ahead.length > 0 && found.size < rowsMax;) {
    const layer = waitingFor(state, ahead, cliLimits.viewNextLooksMax - looks).filter(
      ({ spec }) => !found.has(spec.id),
    );
    looks += layer.length;
    ahead = layer.toSorted((a, b) => a.unmet - b.unmet || a.rank - b.rank).map(({ spec }) => spec.id);
    for (const id of ahead) found.add(id);
  }
  return [...found];
}

function waitingFor({ tasks, dependants }: RunState, ahead: readonly string[], most: number): TaskState[] {
  const found = new Set<TaskState>();
  for (const of of ahead) {
    for (const id of dependants.get(of) ?? []) {
      const task = tasks.get(id);
      if (task?.phase === "pending") found.add(task);
      if (found.size >= most) return [...found];
    }
  }
  return [...found];
}
