import type { Plan } from "./types.ts";

/** A task that a revision adds, changes or removes; all others stay as they are. */
export interface TaskChange {
  readonly id: string;
  readonly change: "added" | "changed" | "removed";
}

/** Compares the tasks of two revisions, in the order of the newer one; removed tasks come last. */
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

/** Lists the changes in one line for people. */
export function changesInWords(changes: readonly TaskChange[]): string {
  return changes.length === 0 ? "no task changes" : changes.map(({ id, change }) => `${id} ${change}`).join(", ");
}
