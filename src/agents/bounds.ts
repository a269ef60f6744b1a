import os from "node:os";
import { limits } from "../limits.ts";
import { type ProcessStat, readProportionalBytes } from "./process-table.ts";

/** How much of the machine the processes of one session may use together. */
export interface Bounds {
  readonly processesMax: number;
  readonly threadsMax: number;
  readonly memoryBytesMax: number;
  /** Written into the session's folders since it began. */
  readonly diskBytesMax: number;
  /** Below so much free space, a session that wrote as much itself is ended. */
  readonly diskFreeBytesMin: number;
}

export function defaultBounds(): Bounds {
  const { processesMax, threadsMax, diskBytesMax, diskFreeBytesMin } = limits;
  const memoryBytesMax = Math.floor(machineBytes() * limits.memoryShareMax);
  return { processesMax, threadsMax, memoryBytesMax, diskBytesMax, diskFreeBytesMin };
}

/** What of the machine the processes exceed, or nothing; asked again and again about one family. */
export function boundProcesses(bounds: Bounds): (members: readonly ProcessStat[]) => string | undefined {
  let believedLooks = 0;
  return (members) => {
    if (members.length > bounds.processesMax) return `more than ${bounds.processesMax} processes`;
    if (sum(members, ({ threads }) => threads) > bounds.threadsMax) return `more than ${bounds.threadsMax} threads`;
    const resident = sum(members, ({ residentBytes }) => residentBytes);
    believedLooks -= 1;
    if (resident <= bounds.memoryBytesMax || believedLooks > 0) return undefined;
    // Memory that processes share counts once for each of them; what it really is takes the kernel longer to say.
    if (sum(members, readProportionalBytes) > bounds.memoryBytesMax)
      return `more than ${inUnits(bounds.memoryBytesMax)} of memory`;
    believedLooks = 5;
    return undefined;
  };
}

/** The same of the disk; space that others took is not charged to the session. */
export function boundDisk(
  { free, written }: { readonly free: number; readonly written: number },
  { diskBytesMax, diskFreeBytesMin }: Bounds,
): string | undefined {
  if (written > diskBytesMax) return `more than ${inUnits(diskBytesMax)} of disk`;
  const isToBlame = free < diskFreeBytesMin && written >= diskFreeBytesMin;
  return isToBlame ? `so much disk that less than ${inUnits(diskFreeBytesMin)} is left` : undefined;
}

/** A number of bytes for people. */
export function inUnits(bytes: number): string {
  return bytes >= 1e9 ? `${Math.round(bytes / 1e8) / 10} GB` : `${Math.round(bytes / 1e6)} MB`;
}

/** A container may have less than the machine. */
function machineBytes(): number {
  const constrained = process.constrainedMemory();
  return constrained > 0 ? Math.min(os.totalmem(), constrained) : os.totalmem();
}

function sum<T>(items: readonly T[], count: (item: T) => number): number {
  return items.reduce((total, item) => total + count(item), 0);
}
