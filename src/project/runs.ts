import { basename, dirname, join } from "node:path";
import { nextRunNumber, planOfRun, runName, type NamedRun } from "../engine/run-name.ts";
import { fold } from "../engine/evolve.ts";
import { isUnpublished, isUnpushed } from "../engine/push.ts";
import { isBehind } from "../hooks/cursor.ts";
import type { RunState } from "../engine/state.ts";
import { isPlanOf } from "../engine/revise.ts";
import { realFiles, type FilePort } from "../journal/file-port.ts";
import { readFrom } from "../journal/follow.ts";
import { journalStart } from "../journal/scan.ts";
import { ok, type Failure, type Result } from "../base/result.ts";
import { readStanding, type Standing } from "./checkpoint.ts";
import { runPaths, type Paths } from "./paths.ts";
import type { RunEntry } from "../hooks/run-entry.ts";
import type { EventOf } from "../engine/events.ts";

/** A run as its journal has it, read without taking part in it. */
export interface ReadRun {
  readonly id: string;
  readonly entries: readonly RunEntry[];
  /** Undefined for a run that died before its first event. */
  readonly state: RunState | undefined;
}

/** Run ids, oldest first: their names begin with the time they were made, by `timeForRun`. */
export function listRuns(paths: Paths, plan?: string, files: FilePort = realFiles): string[] {
  const names = files.readdir(paths.runs).filter((name) => planOfRun(name) !== undefined);
  return names.filter((name) => plan === undefined || planOfRun(name) === plan).toSorted();
}

/** Now; but later than the newest run, because a clock that was set back must not make the next run an older one. */
export function timeForRun(paths: Paths, now: string, files: FilePort = realFiles): string {
  const newest = listRuns(paths, undefined, files).at(-1) ?? "";
  if (idTime(now) > newest.slice(0, idTimeChars)) return now;
  const last = newest.replace(/^(\d{4})(\d\d)(\d\d)-(\d\d)(\d\d)(\d\d).*$/, "$1-$2-$3T$4:$5:$6Z");
  const next = Date.parse(last) + 1_000;
  return Number.isNaN(next) ? now : new Date(next).toISOString();
}

/** The number of the next run of a plan; a folder whose journal cannot be read counts, so that no number is given twice. */
export function numberForRun(paths: Paths, plan: string, files: FilePort = realFiles): number {
  return nextRunNumber(namedRuns(paths, plan, files));
}

/** Every run with its name, oldest first; those that have no event or cannot be read come before all others. */
export function namedRuns(paths: Paths, plan?: string, files: FilePort = realFiles): NamedRun[] {
  return named(listRuns(paths, plan, files), findRuns(paths, plan, files).runs);
}

/** The same, for people who name a run. */
export function namedStandingRuns(paths: Paths): NamedRun[] {
  return named(listRuns(paths), findStandingRuns(paths).runs);
}

function named(ids: readonly string[], runs: readonly Pick<StartedRun, "state">[]): NamedRun[] {
  const started = runs.map(({ state }) => state);
  const isStarted = (id: string) => started.some(({ run }) => run === id);
  const others = ids.filter((id) => !isStarted(id));
  return [...others.map((run) => ({ run, plan: planOfRun(run) ?? "", number: undefined })), ...started];
}

/** What people call the run with this id. */
export function nameOfRun(paths: Paths, id: string): string {
  const read = readRun(paths, id);
  return read.ok && read.value.state !== undefined ? runName(read.value.state) : id;
}

export function newRunId(plan: string, time: string, random: string): string {
  return `${idTime(time)}-${plan}-${random}`;
}

function idTime(time: string): string {
  const digits = time.replace(/\D/g, "");
  return `${digits.slice(0, 8)}-${digits.slice(8, 14)}`;
}

const idTimeChars = "20261116-103103".length;

/** True where hooks of the run may have missed events, because its last driver died or could not reach them. */
export function haveHooksMissed(paths: Paths, { id, entries }: ReadRun): boolean {
  return isBehind(runPaths(paths, id).dir, entries.at(-1)?.seq ?? 0);
}

/** A run as far as people ask about it: where it stands, without the events of what is over. */
export interface StandingRun extends Standing {
  readonly id: string;
}

/** Reads where a run stands, for people; see `readStanding`. */
export function readStandingRun(paths: Paths, id: string): Result<StandingRun> {
  const read = readStanding(runPaths(paths, id));
  if (read.ok) return ok({ id, ...read.value });
  return read.failure.reason === "missing" ? ok({ id, begun: "", open: [], state: undefined }) : read;
}

export function readRun(paths: Paths, id: string, files: FilePort = realFiles): Result<ReadRun> {
  const read = readFrom(files, runPaths(paths, id).journal, journalStart);
  if (!read.ok) return read.failure.reason === "missing" ? ok({ id, entries: [], state: undefined }) : read;
  const entries = read.value.entries as readonly RunEntry[];
  return ok({ id, entries, state: fold(entries) });
}

export interface FoundRuns<Run = ReadRun> {
  /** The runs that have at least one event, oldest first. */
  readonly runs: readonly Started<Run>[];
  /** Why other runs could not be read. Their files stay as they are. */
  readonly damaged: readonly string[];
  /** The first of these that may be whole: until the disk gives it out, no run may begin beside it. */
  readonly unread: string | undefined;
}

type Started<Run> = Run & { readonly state: RunState };

export type StartedRun = Started<ReadRun>;

/** Every run of a plan, or of all plans. One damaged journal does not hide the others. */
export function findRuns(paths: Paths, plan?: string, files: FilePort = realFiles): FoundRuns {
  const read = (id: string) => readRun(paths, id, files);
  return found(listRuns(paths, plan, files).map(read), ({ entries }) => entries[0]?.at ?? "");
}

/** The same runs, as far as people ask about them. */
export function findStandingRuns(paths: Paths): FoundRuns<StandingRun> {
  return found(
    listRuns(paths).map((id) => readStandingRun(paths, id)),
    ({ begun }) => begun,
  );
}

function found<Run extends Pick<ReadRun, "id" | "state">>(
  readings: readonly Result<Run>[],
  begunOf: (run: Run) => string,
): FoundRuns<Run> {
  const runs: Started<Run>[] = [];
  const failures: Failure[] = [];
  for (const read of readings) {
    if (!read.ok) failures.push(read.failure);
    else if (read.value.state !== undefined) runs.push({ ...read.value, state: read.value.state });
  }
  // Ids know only seconds; of two runs of one second the first event has the whole time.
  const startOf = (run: Run) => `${run.id.slice(0, idTimeChars)} ${begunOf(run)}`;
  return {
    runs: runs.toSorted((a, b) => (startOf(a) < startOf(b) ? -1 : startOf(a) > startOf(b) ? 1 : 0)),
    damaged: failures.map(({ message }) => message),
    unread: failures.find(({ reason }) => reason === "io")?.message,
  };
}

/** The newest run of each plan, as far as it is not finished. */
export function unfinishedRuns(runs: readonly Pick<StartedRun, "state">[]): RunState[] {
  const newest = new Map(runs.map(({ state }) => [state.plan, state]));
  return [...newest.values()].filter((state) => state.finished === null);
}

/**
 * The run that `stint run` resumes: of exactly this approved content, an unfinished one before a finished one. One that
 * waits on an old base with nothing integrated is left alone: what was committed since may be what it waits for.
 */
export function runForPlan(runs: readonly StartedRun[], planHash: string, head: string): StartedRun | undefined {
  const same = runs.filter(({ state }) => isPlanOf(state, planHash) && !waitsInVain(state, head));
  return same.findLast(({ state }) => state.finished === null) ?? same.at(-1);
}

/** True for a run that waits for a person on an old base with nothing integrated. */
export function waitsInVain(state: RunState, head: string): boolean {
  const isIdle = state.active.size === 0 && state.held.size === 0;
  return state.parked !== null && isIdle && state.tip === state.base && state.base !== head;
}

/**
 * The run that `stint resume` means: the newest that has something left to do and whose plan is still the approved one;
 * a run of an earlier approval is not resumed by itself, though it is unfinished. Otherwise the newest run.
 */
export async function runToResume(
  runs: readonly StartedRun[],
  isApproved: (run: StartedRun) => Promise<boolean>,
): Promise<StartedRun | undefined> {
  for (const run of runs.toReversed()) if (isOpen(run.state) && (await isApproved(run))) return run;
  return runs.at(-1);
}

/** The runs that `stint resume --all` means, oldest first: of each plan the one that `stint resume` would take. */
export async function runsToResume(
  runs: readonly StartedRun[],
  isApproved: (run: StartedRun) => Promise<boolean>,
): Promise<StartedRun[]> {
  const chosen = new Map<string, StartedRun>();
  for (const run of runs.toReversed()) {
    const { plan } = run.state;
    if (!chosen.has(plan) && isOpen(run.state) && (await isApproved(run))) chosen.set(plan, run);
  }
  return runs.filter((run) => chosen.get(run.state.plan) === run);
}

/** Finds the runs that have something left to do, but of an earlier approval: they are resumed only where a person names them. */
export async function runsLeftBehind(
  runs: readonly StartedRun[],
  isApproved: (run: StartedRun) => Promise<boolean>,
): Promise<StartedRun[]> {
  const newest = new Map(runs.map((run) => [run.state.plan, run]));
  const left: StartedRun[] = [];
  for (const run of newest.values()) if (isOpen(run.state) && !(await isApproved(run))) left.push(run);
  return left;
}

function isOpen(state: RunState): boolean {
  return state.finished === null || isUnpublished(state) || isUnpushed(state);
}

/**
 * Finds the cuts of a journal that the journal itself does not mention yet: of this opening, or of one that ended before it
 * could say so. The torn bytes are kept beside the journal, so none is forgotten.
 */
export function unjournaledRepairs(
  files: FilePort,
  path: string,
  entries: readonly RunEntry[],
): EventOf<"journal-repaired">[] {
  const known = new Set(entries.flatMap((entry) => (entry.type === "journal-repaired" ? basename(entry.keptAt) : [])));
  const [folder, prefix] = [dirname(path), `${basename(path)}.torn-`];
  const kept = files.readdir(folder).filter((name) => name.startsWith(prefix) && !known.has(name));
  return kept.toSorted().map((name) => {
    const keptAt = join(folder, name);
    return { type: "journal-repaired", bytes: files.stat(keptAt)?.size ?? 0, keptAt };
  });
}
