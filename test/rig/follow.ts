import { existsSync, readdirSync, readFileSync, statSync, watch } from "node:fs";
import { dirname, join } from "node:path";

/** One line of a journal, as far as the tests look into it. */
export interface JournalEvent {
  readonly seq: number;
  readonly type: string;
  readonly task?: string;
  readonly attempt?: number;
  readonly [key: string]: unknown;
}

/** The events of the newest run in a repo, from its journal's complete lines; none where no run has started. */
export function readJournal(gitDir: string): readonly JournalEvent[] {
  const file = newestJournal(gitDir);
  if (file === undefined) return [];
  const text = readFileSync(file, "utf8");
  const lines = text.slice(0, text.lastIndexOf("\n") + 1).split("\n");
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line) as JournalEvent);
}

/** Looks again at every change in `folders` until `look` finds something. */
export async function untilFound<T>(
  folders: () => readonly string[],
  look: () => T | undefined,
  signal: AbortSignal,
): Promise<T> {
  for (;;) {
    signal.throwIfAborted();
    const watched = folders();
    const change = nextChange(watched, signal);
    try {
      // Watchers are set before looking, so nothing that happens after the look is missed.
      const found = look();
      if (found !== undefined) return found;
      if (watched.length === folders().length) await change.happened;
    } finally {
      change.close();
    }
  }
}

/** The folders whose changes can bring a journal or a line of it. */
export function journalFolders(gitDir: string): readonly string[] {
  const runs = join(gitDir, "stint", "runs");
  const each = existsSync(runs) ? readdirSync(runs).map((name) => join(runs, name)) : [];
  return [gitDir, dirname(runs), runs, ...each].filter((folder) => existsSync(folder));
}

/** The journal of the run that started last. */
export function newestJournal(gitDir: string): string | undefined {
  const files = journalFolders(gitDir).map((folder) => join(folder, "journal.jsonl"));
  const found = files.filter((file) => existsSync(file)).map((file) => ({ file, at: statSync(file).birthtimeMs }));
  return found.toSorted((a, b) => a.at - b.at).at(-1)?.file;
}

function nextChange(folders: readonly string[], signal: AbortSignal): { happened: Promise<void>; close: () => void } {
  const closers: (() => void)[] = [];
  const happened = new Promise<void>((resolve) => {
    const happen = (): void => {
      resolve();
    };
    for (const folder of folders) {
      const watcher = watch(folder, happen).on("error", happen);
      closers.push(() => {
        watcher.close();
      });
    }
    signal.addEventListener("abort", happen);
    closers.push(() => {
      signal.removeEventListener("abort", happen);
    });
  });
  const close = (): void => {
    for (const closeOne of closers) closeOne();
  };
  return { happened, close };
}
