import { watch, type FSWatcher } from "node:fs";
import { projectLimits } from "./limits.ts";

/** Calls `wake` at every change in a folder, and now and then without one: not every file system tells, and watches can run out. */
export function watchFolder(folder: string, wake: () => void): () => void {
  const timer = setInterval(wake, projectLimits.commandLookMs);
  let watcher: FSWatcher | undefined;
  try {
    watcher = watch(folder, wake);
    watcher.on("error", () => watcher?.close());
  } catch {
    // The timer alone is slower, and enough.
  }
  return () => {
    clearInterval(timer);
    watcher?.close();
  };
}
