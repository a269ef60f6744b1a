import fs from "node:fs";
import path from "node:path";

/** One process as /proc shows it; times are in clock ticks. */
export interface ProcessStat {
  readonly pid: number;
  readonly state: string;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  /** Time used by the process and by the children it has waited for. */
  readonly cpuTicks: number;
  readonly startTime: string;
  readonly threads: number;
  /** Memory it uses, including shared pages. */
  readonly residentBytes: number;
}

/** Lists every running process except those that were seen before; synchronous, because children could fork away from a slow listing. */
export function readProcessTable(seen = new Set<number>()): ProcessStat[] {
  const table: ProcessStat[] = [];
  for (const pid of listPids()) {
    if (seen.has(pid)) continue;
    seen.add(pid);
    const stat = readProcessStat(pid);
    if (stat !== undefined && isRunning(stat)) table.push(stat);
  }
  return table;
}

/** The last reading of the whole table, and its time. */
let newest: { readonly table: readonly ProcessStat[]; readonly at: number } | undefined;

/** Returns the table as it was at most so long ago: parallel sessions share one machine, and reading the table is most of what a waiting Stint does. */
export function recentProcessTable(ageMsMax: number): readonly ProcessStat[] {
  const now = performance.now();
  if (newest === undefined || now - newest.at >= ageMsMax) newest = { table: readProcessTable(), at: now };
  return newest.table;
}

/** Reads one line of the table, including zombies; undefined if the process or /proc does not exist. */
export function readProcessStat(pid: number): ProcessStat | undefined {
  const text = readStatLine(pid);
  return text === undefined ? undefined : parseStat(pid, text);
}

/** Reads a short file into one buffer, because a table has hundreds of these and is read every second. */
function readStatLine(pid: number): string | undefined {
  try {
    const fd = fs.openSync(`/proc/${pid}/stat`, "r");
    try {
      return statLine.toString("latin1", 0, fs.readSync(fd, statLine));
    } finally {
      fs.closeSync(fd);
    }
  } catch {
    return undefined;
  }
}

const statLine = Buffer.alloc(4096);

/** Whether the process runs: a zombie does not, and stays for ever in a container without a reaping init. */
export function isRunning(stat: ProcessStat): boolean {
  return stat.state !== "Z" && stat.state !== "X" && stat.state !== "x";
}

/** Whether the process was started with exactly this `NAME=value` entry in its environment. */
export function hasEnvironmentEntry(pid: number, entry: string): boolean {
  const environ = readProc(`${pid}/environ`);
  if (environ === undefined) return false;
  const wanted = Buffer.from(`\0${entry}\0`);
  return Buffer.concat([Buffer.of(0), environ, Buffer.of(0)]).includes(wanted);
}

/** Whether the process's working directory is the folder or below it; `folder` is a real path. */
export function worksWithin(pid: number, folder: string): boolean {
  try {
    return isWithin(fs.readlinkSync(`/proc/${pid}/cwd`).replace(/ \(deleted\)$/, ""), folder);
  } catch {
    return false;
  }
}

/** Whether one of these variables leads into one of the folders, in the environment that the process was started with. */
export function environmentLeadsInto(pid: number, names: readonly string[], folders: readonly string[]): boolean {
  const entries = readProc(`${pid}/environ`)?.toString("utf8").split("\0") ?? [];
  return entries.some((entry) => {
    const [name = "", ...value] = entry.split("=");
    return names.includes(name) && folders.some((folder) => isWithin(path.normalize(value.join("=")), folder));
  });
}

function isWithin(file: string, folder: string): boolean {
  return file === folder || file.startsWith(`${folder}/`);
}

/** Parses a line; the program name may contain spaces and parentheses, so fields are counted from the last parenthesis. */
export function parseStat(pid: number, text: string): ProcessStat | undefined {
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  // proc(5) counts from 1, and the state, which comes first here, is its field 3.
  const field = (n: number): string => fields[n - 3] ?? "";
  const startTime = field(22);
  if (!/^\d+$/.test(startTime)) return undefined;
  return {
    pid,
    state: field(3),
    parent: Number(field(4)),
    group: Number(field(5)),
    session: Number(field(6)),
    cpuTicks: [14, 15, 16, 17].reduce((sum, n) => sum + Number(field(n)), 0),
    startTime,
    threads: Number(field(20)),
    residentBytes: Number(field(24)) * pageBytes(),
  };
}

/** Reads how much memory a process uses, with only its part of shared pages; the kernel has to count for this, so it is used only if it matters. */
export function readProportionalBytes({ pid, residentBytes }: ProcessStat): number {
  const text = readProc(`${pid}/smaps_rollup`)?.toString("latin1") ?? "";
  const kilobytes = /^Pss:\s+(\d+) kB$/m.exec(text)?.[1];
  return kilobytes === undefined ? residentBytes : Number(kilobytes) * 1024;
}

let knownPageBytes: number | undefined;

/** Reads the page size from the auxiliary vector; it is 4096 on most machines, but not on all. */
function pageBytes(): number {
  knownPageBytes ??= readPageBytes() ?? 4096;
  return knownPageBytes;
}

function readPageBytes(): number | undefined {
  const facts = readProc("self/auxv") ?? Buffer.alloc(0);
  for (let at = 0; at + 16 <= facts.length; at += 16) {
    if (facts.readBigUInt64LE(at) === pageSizeFact) return Number(facts.readBigUInt64LE(at + 8));
  }
  return undefined;
}

/** AT_PAGESZ of getauxval(3). */
const pageSizeFact = 6n;

function listPids(): number[] {
  try {
    return fs
      .readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
  } catch {
    return [];
  }
}

/** Treats errors as absence: processes end while they are read, and those of other users do not show everything. */
function readProc(name: string): Buffer | undefined {
  try {
    return fs.readFileSync(`/proc/${name}`);
  } catch {
    return undefined;
  }
}
