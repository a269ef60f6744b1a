import type { Task, TaskFiles } from "./types.ts";

/** What a task may touch with what it was granted since: to create or change, never to delete. A grant names a protected file. */
export function effectiveFiles({ files }: Pick<Task, "files">, granted: readonly string[]): TaskFiles {
  return granted.length === 0 ? files : { ...files, touch: [...files.touch, ...granted] };
}
