import { newEntries } from "../project/follow-run.ts";
import type { RunEntry } from "../hooks/run-entry.ts";

/** Which journal to follow, and from where. */
export interface Following {
  readonly paths: Parameters<typeof newEntries>[0];
  /** Only what comes after this entry. */
  readonly after: number;
  readonly watching: Parameters<typeof newEntries>[1];
}

/** One event after the other; each loop over it reads the journal for itself. A journal that cannot be read throws. */
export function eachEntry({ paths, after, watching }: Following): AsyncIterable<RunEntry> {
  return {
    async *[Symbol.asyncIterator]() {
      for await (const batch of newEntries(paths, watching)) {
        if (!batch.ok) throw new Error(batch.failure.message);
        for (const entry of batch.value) if (entry.seq > after) yield entry;
      }
    },
  };
}
