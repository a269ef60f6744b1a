import fs from "node:fs";
import { processLimits } from "./limits.ts";
import { type Bounds, boundProcesses } from "./bounds.ts";
import { watchDisk } from "./disk.ts";
import type { End } from "./ending.ts";
import type { ProcessFamily } from "./family.ts";
import { recentProcessTable } from "./table.ts";

export interface WatchOptions {
  readonly family: ProcessFamily;
  /** The number of bytes of output so far. */
  readonly receivedBytes: () => number;
  readonly idleMsMax: number;
  readonly bounds: Bounds;
  /** The folders in which what the session writes is counted. */
  readonly folders: readonly string[];
}

/**
 * Reads a session's processes again and again and reports when they are idle or use too much; returns how to stop.
 * It does so even without an idle limit, because a child seen once is found again after it has left the tree.
 */
export function watchSession(options: WatchOptions, decide: (end: End) => void): () => void {
  const { family, receivedBytes, idleMsMax, bounds, folders } = options;
  const lookMs = Math.max(10, Math.min(processLimits.sessionLookMs, Math.floor(idleMsMax / 4)));
  const tickMs = Math.min(processLimits.forkLookMs, lookMs);
  const exceeded = (what: string): void => decide({ kind: "exceeded", what });
  const processes = boundProcesses(bounds);
  const disk = watchDisk(folders, bounds, exceeded);
  const workTicks = Math.max(1, (lookMs / processLimits.clockTickMs) * processLimits.idleProcessorShareMax);
  const isGrowing = growthOfMachine(bounds.processesMax / 4);
  let sinceLookMs = 0;
  let quietMs = 0;
  let heardBytes = 0;
  let ticks = 0;
  const timer = setInterval(() => {
    sinceLookMs += tickMs;
    const isDue = sinceLookMs >= lookMs;
    const grew = isGrowing();
    if (!grew && !isDue) return;
    // The table must be younger than the last reading of this family, so that nothing is counted twice; for a fork bomb it is read now.
    const view = family.look(recentProcessTable(grew ? 0 : lookMs - tickMs));
    ticks += view.ticks;
    const what = processes.exceeds(view.members);
    if (what !== undefined) exceeded(what);
    if (!isDue) return;
    disk.look(view.members);
    // Readings are counted, not hours: while Stint itself was stopped or starved, it could not have noticed any output.
    quietMs = ticks >= workTicks || receivedBytes() > heardBytes ? 0 : quietMs + sinceLookMs;
    if (quietMs >= idleMsMax) decide({ kind: "idle" });
    heardBytes = receivedBytes();
    ticks = 0;
    sinceLookMs = 0;
  }, tickMs);
  return () => {
    clearInterval(timer);
    processes[Symbol.dispose]();
    disk.stop();
  };
}

/** Returns a test whether so many processes have started since it was last true; it reads one short line, because the table takes long to read. */
function growthOfMachine(step: number): () => boolean {
  let known = Infinity;
  return () => {
    const now = countTasks();
    const grew = now >= known + step;
    if (grew || now < known) known = now;
    return grew;
  };
}

/** Returns the number of all processes and threads; 0 if the kernel does not report it. */
function countTasks(): number {
  try {
    return Number(/\/(\d+) /.exec(fs.readFileSync("/proc/loadavg", "latin1"))?.[1] ?? 0);
  } catch {
    return 0;
  }
}
