import type { Plan } from "./types.ts";

/** A task that a revision adds, changes or takes away; all others stay as they are. */
export interface TaskChange {
  readonly id: string;
  readonly change: "added" | "changed" | "removed";
}

/** What becomes of the tasks of one revision in another, in the order of the newer one, what is gone last. */
export function diffTasks(before: Pick<Plan, "tasks">, after: Pick<Plan, "tasks">): TaskChange[] {
  const old = new Map(before.tasks.map((task) => [task.id, task.text]));
  const kept = new Set(after.tasks.map((task) => task.id));
  return [
    ...after.tasks.flatMap(({ id, text }): TaskChange[] => {
      if (!old.has(id)) return [{ id, change: "added" }];
      return old.get(id) === text ? [] : [{ id, change: "changed" }];
    }),
    ...before.tasks.filter(({ id }) => !kept.has(id)).map(({ id }): TaskChange => ({ id, change: "removed" })),
  ];
}

/** As people read it. */
export function changesInWords(changes: readonly TaskChange[]): string {
  return changes.length === 0 ? "no task changes" : changes.map(({ id, change }) => `${id} ${change}`).join(", ");
}
