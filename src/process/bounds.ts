import os from "node:os";
import { processLimits } from "./limits.ts";
import { type ProcessStat, readProportionalBytes } from "./table.ts";

/** How much of the machine the processes of one session may use together. */
export interface Bounds {
  readonly processesMax: number;
  readonly threadsMax: number;
  /** The limit for all sessions together: the machine has its memory and its process numbers only once. */
  readonly threadsOfAllMax: number;
  readonly memoryBytesMax: number;
  /** How much the session may write into its folders. */
  readonly diskBytesMax: number;
  /** If less space than this is free, a session that wrote as much itself is ended. */
  readonly diskFreeBytesMin: number;
}

export function defaultBounds(): Bounds {
  const { processesMax, threadsMax, threadsOfAllMax, diskBytesMax, diskFreeBytesMin } = processLimits;
  const memoryBytesMax = Math.floor(machineBytes() * processLimits.memoryShareMax);
  return { processesMax, threadsMax, threadsOfAllMax, memoryBytesMax, diskBytesMax, diskFreeBytesMin };
}

/** What one session used when it was last examined. */
interface Use {
  threads: number;
  bytes: number;
}

/** What all watched sessions use; together they may use no more than one alone, and the largest has to yield. */
const uses = new Set<Use>();

export interface ProcessBound extends Disposable {
  /** Returns what of the machine the processes exceed, or undefined; called again and again for one family. */
  readonly exceeds: (members: readonly ProcessStat[]) => string | undefined;
}

/** Bounds a session, which counts from now on until this is disposed of. */
export function boundProcesses(bounds: Bounds): ProcessBound {
  const own: Use = { threads: 0, bytes: 0 };
  let believedLooks = 0;
  uses.add(own);
  const memory = (members: readonly ProcessStat[]) => {
    const resident = sum(members, ({ residentBytes }) => residentBytes);
    believedLooks -= 1;
    if (believedLooks <= 0 || resident < own.bytes) own.bytes = resident;
    if (whoseFault("bytes", own, bounds.memoryBytesMax) === undefined || believedLooks > 0) return undefined;
    // Shared memory counts once for each process here; the true figure takes the kernel longer to compute.
    own.bytes = sum(members, readProportionalBytes);
    const fault = whoseFault("bytes", own, bounds.memoryBytesMax);
    if (fault !== undefined) return `more than ${inUnits(bounds.memoryBytesMax)} of memory${fault}`;
    believedLooks = 5;
    return undefined;
  };
  return {
    exceeds: (members) => {
      own.threads = sum(members, ({ threads }) => threads);
      if (members.length > bounds.processesMax) return `more than ${bounds.processesMax} processes`;
      if (own.threads > bounds.threadsMax) return `more than ${bounds.threadsMax} threads`;
      const fault = whoseFault("threads", own, bounds.threadsOfAllMax);
      return fault === undefined ? memory(members) : `more than ${bounds.threadsOfAllMax} threads${fault}`;
    },
    [Symbol.dispose]: () => void uses.delete(own),
  };
}

/** Returns undefined if the limit is kept or another session uses more; otherwise the end of the message, which names who takes part. */
function whoseFault(what: keyof Use, own: Use, max: number): string | undefined {
  if (own[what] > max) return "";
  const isLargest = [...uses].every((use) => use[what] <= own[what]);
  return isLargest && sum([...uses], (use) => use[what]) > max
    ? " together with what ran beside it, and the most of all"
    : undefined;
}

export interface DiskUse {
  /** The free space when the session began. */
  readonly freeBefore: number;
  readonly free: number;
  readonly written: number;
}

/** Returns the same for the disk; space that others took is not charged to the session. */
export function boundDisk(use: DiskUse, { diskBytesMax, diskFreeBytesMin }: Bounds): string | undefined {
  const { free, written } = use;
  if (written > diskBytesMax) return `more than ${inUnits(diskBytesMax)} of disk`;
  const isToBlame = free < diskFreeBytesMin && (written >= diskFreeBytesMin || tookMost(use));
  return isToBlame ? `so much disk that less than ${inUnits(diskFreeBytesMin)} is left` : undefined;
}

/** Whether the session took most of a disk that had little space from the start; with next to none, no session could have worked. */
function tookMost({ freeBefore, free, written }: DiskUse): boolean {
  return freeBefore >= processLimits.diskFreeBytesUsable && free < freeBefore / 4 && written >= freeBefore / 2;
}

/** Writes a number of bytes for people. */
export function inUnits(bytes: number): string {
  return bytes >= 1e9 ? `${Math.round(bytes / 1e8) / 10} GB` : `${Math.round(bytes / 1e6)} MB`;
}

/** Returns the memory of this machine or container, which may have less than the machine. */
function machineBytes(): number {
  const constrained = process.constrainedMemory();
  return constrained > 0 ? Math.min(os.totalmem(), constrained) : os.totalmem();
}

function sum<T>(items: readonly T[], count: (item: T) => number): number {
  return items.reduce((total, item) => total + count(item), 0);
}
