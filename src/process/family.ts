import type { ProcessIdentity } from "../engine/session.ts";
import { type ProcessStat, readProcessTable } from "./table.ts";

/** What is known of a family at one moment. */
export interface FamilyView {
  readonly members: readonly ProcessStat[];
  /** Processor time that the members have used since the last reading. */
  readonly ticks: number;
}

/** The processes that descend from one leader; a child seen once stays known after its parent has died. */
export interface ProcessFamily {
  readonly leader: ProcessIdentity;
  readonly look: (table?: readonly ProcessStat[]) => FamilyView;
}

/** Follows the leader's descendants, its process group and its session. */
export function followFamily(leader: ProcessIdentity): ProcessFamily {
  let known = new Map<number, Known>([[leader.pid, { startTime: leader.startTime, cpuTicks: 0 }]]);
  return {
    leader,
    look: (table = readProcessTable()) => {
      const members = collectMembers(table, known, leader.pid);
      const ticks = members.reduce((sum, { pid, cpuTicks }) => sum + cpuTicks - (known.get(pid)?.cpuTicks ?? 0), 0);
      known = new Map(members.map((member) => [member.pid, member]));
      return { members, ticks };
    },
  };
}

interface Known {
  readonly startTime: string;
  readonly cpuTicks: number;
}

function collectMembers(table: readonly ProcessStat[], known: ReadonlyMap<number, Known>, leader: number) {
  const childrenOf = groupByParent(table);
  const members = new Map<number, ProcessStat>();
  const queue = table.filter(
    (entry) =>
      entry.group === leader || entry.session === leader || known.get(entry.pid)?.startTime === entry.startTime,
  );
  for (let entry = queue.pop(); entry !== undefined; entry = queue.pop()) {
    if (members.has(entry.pid)) continue;
    members.set(entry.pid, entry);
    queue.push(...(childrenOf.get(entry.pid) ?? []));
  }
  return [...members.values()];
}

function groupByParent(table: readonly ProcessStat[]): Map<number, ProcessStat[]> {
  const groups = new Map<number, ProcessStat[]>();
  for (const entry of table) {
    const siblings = groups.get(entry.parent);
    if (siblings === undefined) groups.set(entry.parent, [entry]);
    else siblings.push(entry);
  }
  return groups;
}
