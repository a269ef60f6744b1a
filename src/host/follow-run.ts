import { evolve } from "../engine/evolve.ts";
import type { RunState } from "../engine/state.ts";
import { realFiles } from "../journal/file-port.ts";
import { readFrom } from "../journal/follow.ts";
import { journalStart } from "../journal/scan.ts";
import { ok, type Result } from "../result.ts";
import { createBell } from "./bell.ts";
import { driverOf } from "./driver-lock.ts";
import { runLayout } from "./layout.ts";
import type { Project } from "./project.ts";
import type { RunEntry } from "./runs.ts";
import { watchFolder } from "./watch-folder.ts";

export interface FollowOptions {
  /** Told of every event after this one. */
  readonly after: number;
  readonly observe: (entry: RunEntry) => void;
  readonly isEnough: (state: RunState) => boolean;
  readonly signal: AbortSignal;
  /** Wait also while nobody drives the run: somebody may take it up. */
  readonly waitAlone?: true;
}

/** Watches a run that another process drives until the state is as wished, nobody seems to drive it any more, or the signal aborts. */
export async function followRun(
  { layout }: Pick<Project, "layout">,
  { run, plan }: Pick<RunState, "run" | "plan">,
  options: FollowOptions,
): Promise<Result<RunState | undefined>> {
  const { dir, journal } = runLayout(layout, run);
  const bell = createBell();
  const unwatch = watchFolder(dir, bell.ring);
  options.signal.addEventListener("abort", bell.ring);
  let [cursor, state] = [journalStart, undefined as RunState | undefined];
  try {
    for (;;) {
      const seen = bell.count();
      // Asked before reading: what a driver wrote last, just before it ended, is then read, too.
      const isAlone = options.waitAlone !== true && driverOf(layout, plan) === null;
      const read = readFrom(realFiles, journal, cursor);
      if (!read.ok) return read;
      cursor = read.value.cursor;
      for (const entry of read.value.entries as readonly RunEntry[]) {
        state = evolve(state, entry);
        if (entry.seq > options.after) options.observe(entry);
      }
      const isOver = state !== undefined && options.isEnough(state);
      if (isOver || options.signal.aborted || isAlone) return ok(state);
      await bell.after(seen);
    }
  } finally {
    options.signal.removeEventListener("abort", bell.ring);
    unwatch();
  }
}
