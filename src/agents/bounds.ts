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
  let disproved = 0;
  return (members) => {
    if (members.length > bounds.processesMax) return `more than ${bounds.processesMax} processes`;
    if (sum(members, ({ threads }) => threads) > bounds.threadsMax) return `more than ${bounds.threadsMax} threads`;
    const resident = sum(members, ({ residentBytes }) => residentBytes);
    if (resident <= Math.max(bounds.memoryBytesMax, disproved)) return undefined;
    // Memory that processes share counts once for each of them; what it really is takes longer to ask.
    if (sum(members, readProportionalBytes) > bounds.memoryBytesMax)
      return `more than ${inUnits(bounds.memoryBytesMax)} of memory`;
    disproved = resident + bounds.memoryBytesMax / 20;
    return undefined;
  };
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
