import { existsSync, readFileSync, watch, type FSWatcher } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { Ended, Running } from "../rig/cli.ts";
import { journalFolders, readJournal, untilFound } from "../rig/follow.ts";
import type { Rig } from "../rig/rig.ts";
import { finish } from "./finish.ts";
import type { Driven } from "./inspect-run.ts";
import { deathOf, type Death } from "./oracle-deaths.ts";
import { sessionBegins, type Moment, type Strike, type Victim } from "./strikes.ts";

/** Told of every kill by its kind; says when there were enough. */
export interface Tally {
  readonly add: (kind: Victim["kind"]) => void;
  readonly isFull: () => boolean;
}

/** Drives a run from death to death and then to its end. */
export async function driveUnder(rig: Rig, strikes: readonly Strike[], tally: Tally): Promise<Driven> {
  const deaths: Death[] = [];
  const killedSessions = new Map<string, number>();
  const struck = { rig, tally, killedSessions };
  for (const strike of strikes) {
    if (tally.isFull()) break;
    const hasBegun = rig.events("run-started").length > 0;
    const args = hasBegun && strike.again === "resume" ? ["resume"] : ["run", "--yes"];
    const end = await live(struck, rig.start(args, { ownGroup: true }), strike);
    if (end.code === 0) break;
    deaths.push(deathOf(rig));
  }
  return { end: await finish(rig), kills: deaths.length, deaths, killedSessions };
}

interface Struck {
  readonly rig: Rig;
  readonly tally: Tally;
  readonly killedSessions: Map<string, number>;
}

/** One life of a driver, to its death or its own end. */
async function live(struck: Struck, driver: Running, { moment, victim }: Strike): Promise<Ended> {
  const { rig, tally } = struck;
  if (!(await comes(rig, driver, { moment, longestMs: victim.kind === "agent" ? 10_000 : 500 }))) return driver.ended;
  if (victim.kind === "agent") await killAgents(struck, driver, victim.times);
  if (victim.kind === "command") await killCommand(struck, victim);
  if ("after" in victim && !(await comes(rig, driver, { moment: victim.after, longestMs: 500 }))) return driver.ended;
  // Counted before it falls, because the driver may just have ended by itself.
  const kind = "after" in victim ? "driver" : victim.kind;
  if (kind === "everything") for (const { pid } of rig.processes()) kill(pid);
  kill(kind === "group" ? -driver.pid : driver.pid);
  const end = await driver.ended;
  if (end.code === null) tally.add(kind);
  return end;
}

/** A run that is paused, or has no such event any more, is struck so long after its first new event. */
interface Wait {
  readonly moment: Moment;
  readonly longestMs: number;
}

const silenceMs = 5000;

/** False where the driver ends before the moment has come. */
async function comes(rig: Rig, driver: Running, { moment, longestMs }: Wait): Promise<boolean> {
  const over = new AbortController();
  const late = new AbortController();
  void driver.ended.then(() => over.abort());
  const signal = AbortSignal.any([over.signal, late.signal]);
  const unlessOver = (error: unknown): void => {
    if (!signal.aborted) throw error;
  };
  const firstLine = waitFor(rig, { kind: "lines", count: 1 }, signal);
  // A run that was paused before writes none, and waits as long as it is let.
  const lateness = Promise.race([firstLine, setTimeout(silenceMs, undefined, { signal })])
    .then(async () => setTimeout(longestMs, undefined, { signal }))
    .then(() => late.abort(), unlessOver);
  await waitFor(rig, moment, signal).catch(unlessOver);
  const hasCome = !over.signal.aborted;
  late.abort();
  await lateness;
  return hasCome;
}

async function waitFor({ gitDir }: Rig, moment: Moment, signal: AbortSignal): Promise<unknown> {
  if (moment.kind === "time") return setTimeout(moment.ms, undefined, { signal });
  if (moment.kind === "changes") return changes(gitDir, moment.count, signal);
  const before = readJournal(gitDir).length;
  const isThere = (): boolean => {
    const since = readJournal(gitDir).slice(before);
    return moment.kind === "lines" ? since.length >= moment.count : since.some(({ type }) => type === moment.type);
  };
  const folders = (): readonly string[] => journalFolders(gitDir);
  return untilFound(folders, () => isThere() || undefined, signal);
}

/** Resolves at the so many-th change in the folders that there are now. */
async function changes(gitDir: string, count: number, signal: AbortSignal): Promise<void> {
  const control = join(gitDir, "stint", "control.git");
  const all = [...journalFolders(gitDir), control, join(control, "objects"), join(control, "refs/stint/runs")];
  let left = count;
  let watchers: readonly FSWatcher[] = [];
  await new Promise<void>((resolve) => {
    const change = (): void => {
      left -= 1;
      if (left <= 0) resolve();
    };
    watchers = all
      .filter((folder) => existsSync(folder))
      .map((folder) => watch(folder, change).on("error", () => undefined));
    signal.addEventListener("abort", () => resolve());
  });
  for (const watcher of watchers) watcher.close();
}

/** Kills an agent, and so many others in all as soon as the driver starts them. */
async function killAgents(struck: Struck, driver: Running, times: number): Promise<void> {
  for (let left = times; left > 0; left -= 1) {
    killAgent(struck);
    if (left > 1 && !(await comes(struck.rig, driver, { moment: sessionBegins, longestMs: 2000 }))) return;
  }
}

/** Kills one process of a session; its attempt may fail for that. */
function killAgent({ rig, tally, killedSessions }: Struck): void {
  for (const { pid } of rig.processes()) {
    const task = taskOfSession(pid);
    if (task === undefined) continue;
    killedSessions.set(task, (killedSessions.get(task) ?? 0) + 1);
    tally.add("agent");
    kill(pid);
    return;
  }
}

function taskOfSession(pid: number): string | undefined {
  try {
    const environment = readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
    const isAgent = environment.some((entry) => entry.startsWith("STINT_OUTBOX="));
    return isAgent ? environment.find((entry) => entry.startsWith("STINT_TASK="))?.slice(11) : undefined;
  } catch {
    return undefined;
  }
}

async function killCommand({ rig, tally }: Struck, victim: Extract<Victim, { kind: "command" }>): Promise<void> {
  const command = rig.start(victim.args);
  await setTimeout(victim.afterMs);
  const { code } = await command.kill("SIGKILL");
  if (code === null) tally.add("command");
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended by itself.
  }
}
