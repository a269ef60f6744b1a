import type { RunState, TaskState } from "../../engine/state.ts";
import { blockedRoots, whyPending } from "../../engine/waiting.ts";
import { cliLimits } from "../limits.ts";
import { shown } from "./words.ts";

/** A task that has not begun. */
export interface NextRow {
  readonly id: string;
  readonly title: string;
  /** Asked only of rows that are shown: to find out which task under way might touch the same files takes time. */
  readonly why: () => string;
}

/** Who starts next, best first, then who waits for what is under way; never the whole plan, which may be long. */
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

/** What fits on a tall terminal beside the rest. */
const rowsMax = 12;

/** Who waits for these, then who waits for those, as far as there are rows; of each, whom the least keeps waiting first. */
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
