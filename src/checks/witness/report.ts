import { constants } from "node:fs";
import { open, readdir, realpath } from "node:fs/promises";
import { join, relative } from "node:path";
import type { TestsRun } from "../../engine/evidence.ts";
import { checksLimits } from "../limits.ts";
import { planLimits } from "../../plan/limits.ts";

type Runner = TestsRun["runner"];

/** What the witnesses of one check wrote down. */
export interface Heard {
  /** One entry for each runner that began. */
  readonly tests: readonly TestsRun[];
  /** Runners that began and did not come to their end, at least one time. */
  readonly unended: readonly Runner[];
  /** Tests that failed. */
  readonly failed: number;
  readonly names: TestNames;
}

/** Tests by file and title: those that failed at least one time, and those that were heard and never did. */
export interface TestNames {
  readonly failing: readonly string[];
  readonly others: readonly string[];
}

/**
 * Reads what witnesses wrote about one check; `root` is the tree as the check saw it, through whatever links.
 * Code under test can write there, too: whatever is no line of the protocol is dropped, and nothing is read without bound.
 */
export async function readReports(dir: string, root: string): Promise<Heard> {
  const texts: string[] = [];
  let bytesLeft: number = checksLimits.witnessBytesMax;
  for (const name of (await namesIn(dir)).slice(0, checksLimits.witnessFilesMax)) {
    const text = await readStart(join(dir, name), bytesLeft);
    bytesLeft -= Buffer.byteLength(text);
    texts.push(text);
  }
  return heardIn(texts, await realpath(root).catch(() => root));
}

/** Sums up what the files of one check say: each was written by one process. */
export function heardIn(texts: readonly string[], root: string): Heard {
  const tallies = new Map<Runner, Tally>();
  const unended = new Set<Runner>();
  const named = new Map<string, boolean>();
  const empty = new Set<string>();
  let failed = 0;
  for (const text of texts) {
    const open = new Set<Runner>();
    for (const line of text.split("\n")) {
      const said = parseLine(line);
      if (said === undefined) continue;
      const tally = tallies.get(said.runner) ?? { run: 0, skipped: 0, groups: new Map<string, number>() };
      tallies.set(said.runner, tally);
      if (said.begun === true) open.add(said.runner);
      if (said.ended === true) open.delete(said.runner);
      if (said.group !== undefined) count(tally, said, root);
      const hasFailed = said.state === "run" && said.failed === true;
      if (hasFailed) failed += 1;
      if (said.group !== undefined && said.state === undefined) empty.add(nameOf(said.group, root));
      if (said.state !== undefined) note(named, titleOf(said, root), hasFailed);
    }
    for (const runner of open) unended.add(runner);
  }
  for (const tally of tallies.values()) leaveOut(tally, empty);
  const tests = [...tallies].map(([runner, tally]) => ({ runner, ...tally, groups: bounded(tally.groups) }));
  const sorted = tests.toSorted((a, b) => (a.runner < b.runner ? -1 : 1));
  return { tests: sorted, unended: [...unended].toSorted(), failed, names: namesOf(named) };
}

/** Where a runner found no test, nobody else's word for tests counts: the code that ended the file early may have written it. */
function leaveOut(tally: Tally, empty: ReadonlySet<string>): void {
  for (const group of empty) {
    const claimed = tally.groups.get(group) ?? 0;
    if (claimed === 0) continue;
    tally.run -= claimed;
    tally.groups.set(group, 0);
  }
}

/** Where several tests have one title, the one that failed counts. */
function note(named: Map<string, boolean>, title: string, hasFailed: boolean): void {
  named.set(title, hasFailed || named.get(title) === true);
}

function titleOf({ group = "", name = "" }: Line, root: string): string {
  return `${nameOf(group, root)}: ${name.replace(/\p{Cc}+/gu, " ")}`.slice(0, checksLimits.witnessTitleCharsMax);
}

function namesOf(named: ReadonlyMap<string, boolean>): TestNames {
  const [failing, others] = [true, false].map((wanted) =>
    [...named].flatMap(([title, hasFailed]) => (hasFailed === wanted ? [title] : [])),
  );
  return { failing: failing ?? [], others: others ?? [] };
}

interface Tally {
  run: number;
  skipped: number;
  readonly groups: Map<string, number>;
}

/** One line of the protocol. A group without a state is one that the runner looked into and found no test in. */
interface Line {
  readonly runner: Runner;
  readonly begun?: boolean;
  readonly ended?: boolean;
  readonly group?: string;
  readonly name?: string;
  readonly state?: "run" | "skipped";
  readonly failed?: boolean;
}

function count(tally: Tally, { group = "", state }: Line, root: string): void {
  if (state === "skipped") {
    tally.skipped += 1;
    return;
  }
  const ran = state === "run" ? 1 : 0;
  const name = nameOf(group, root);
  tally.run += ran;
  tally.groups.set(name, (tally.groups.get(name) ?? 0) + ran);
}

/** Files are named as in the tree, so that two rooms are alike; packages and targets stay what they are. */
function nameOf(group: string, root: string): string {
  const name = group.startsWith(`${root}/`) ? relative(root, group) : group;
  return name.slice(0, planLimits.pathCharsMax);
}

/** The journal keeps them all, so a check with more files than this is only counted as a whole. */
function bounded(groups: ReadonlyMap<string, number>): Record<string, number> {
  const entries = [...groups].toSorted(([a], [b]) => (a < b ? -1 : 1));
  if (entries.length <= checksLimits.witnessGroupsMax) return Object.fromEntries(entries);
  return { [everywhere]: entries.reduce((sum, [, ran]) => sum + ran, 0) };
}

/** The group of all tests where they are in too many files to count by file. */
export const everywhere = "*";

function parseLine(line: string): Line | undefined {
  if (line.length === 0 || line.length > checksLimits.witnessLineCharsMax) return undefined;
  try {
    const value: unknown = JSON.parse(line);
    return isLine(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isLine(value: unknown): value is Line {
  if (typeof value !== "object" || value === null) return false;
  const { runner, begun, ended, group, name = "", state } = value as Record<string, unknown>;
  const isKnown = typeof runner === "string" && (runners as readonly string[]).includes(runner);
  const isTest =
    typeof group === "string" &&
    typeof name === "string" &&
    !/\p{Cc}/u.test(group) &&
    (state === undefined || state === "run" || state === "skipped");
  return isKnown && (begun === true || ended === true || isTest);
}

const runners: readonly Runner[] = ["node:test", "vitest", "jest", "pytest", "unittest", "go test", "cargo test"];

async function namesIn(dir: string): Promise<string[]> {
  const names = await readdir(dir).catch(() => []);
  return names.filter((name) => name.endsWith(".jsonl")).toSorted();
}

/** No pipe, device or link is opened; what is left out at the end costs a runner its end, and the check its green. */
async function readStart(path: string, bytesMax: number): Promise<string> {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const file = await open(path, flags).catch(() => undefined);
  if (file === undefined) return "";
  try {
    const stat = await file.stat();
    if (!stat.isFile()) return "";
    const buffer = Buffer.alloc(Math.min(stat.size, Math.max(bytesMax, 0)));
    const { bytesRead } = await file.read(buffer, 0, buffer.length, 0);
    return buffer.subarray(0, bytesRead).toString("utf8");
  } catch {
    return "";
  } finally {
    await file.close();
  }
}
