import { mappedLanguageOf } from "../../syntax/language.ts";
import { planningLimits } from "../limits.ts";
import { protectedKind } from "../../plan/protected.ts";
import type { MapFile, MapLine } from "./facts.ts";
import { nameMatcher, relevanceTo } from "./goal.ts";
import { linksOf, type Link } from "./links.ts";

/** A file with its rank. */
export interface Ranked {
  readonly file: MapFile;
  readonly score: number;
  /** The most significant line comes first. */
  readonly lines: readonly MapLine[];
}

/** Ranks files by how much others refer to them, and by the goal; the best first, equal ones by path. */
export function rank(files: readonly MapFile[], goal: string): Ranked[] {
  const links = linksOf(files);
  const weights = files.map(weightOf);
  const wanted = startsOf(weights, relevanceTo(goal, files));
  const standing = spread(files.length, links, wanted);
  const uses = usesOf(files.length, links, standing);
  const matches = nameMatcher(goal);
  const ranked = files.map((file, at) => ({
    file,
    score: ((standing[at] ?? 0) + ownShare * (wanted[at] ?? 0)) * (weights[at] ?? 0),
    lines: byUse(file.facts.symbols, uses[at], matches),
  }));
  return ranked.toSorted((a, b) => b.score - a.score || (a.file.path < b.file.path ? -1 : 1));
}

/** How much a file counts without references: work is mostly on code, then on its tests, then on the rest. */
function weightOf({ path, isDerived }: MapFile): number {
  if (isDerived) return weightOfKind.derived;
  return mappedLanguageOf(path) === undefined
    ? weightOfKind.other
    : protectedKind(path, []) === "test"
      ? weightOfKind.test
      : 1;
}

const weightOfKind = { test: 0.3, other: 0.2, derived: 0.02 } as const;

/** How much a file's own kind counts, compared with references to it. */
const ownShare = 1;

/** The share of the weight that starts anywhere; the rest starts at the files of the goal. */
const anywhere = 0.5;

/** Chooses where attention starts: everywhere a little, and with a goal mostly at what it names. */
function startsOf(base: readonly number[], relevance: readonly number[]): number[] {
  const even = sumOf(base);
  const meant = relevance.map((value, at) => value * (base[at] ?? 0));
  const total = sumOf(meant);
  if (total === 0) return base.map((value) => value / even);
  return base.map((value, at) => (anywhere * value) / even + ((1 - anywhere) * (meant[at] ?? 0)) / total);
}

/** Lets attention follow links for a bounded number of rounds, restarting every few steps. */
function spread(count: number, links: readonly Link[], starts: readonly number[]): number[] {
  const out = weightsOut(count, links);
  let now = [...starts];
  for (let round = 0; round < planningLimits.mapRoundsMax; round += 1) {
    const stays = now.reduce((sum, value, at) => sum + (out[at] === 0 ? value : 0), 0);
    const next = starts.map((start) => start * (1 - follows + follows * stays));
    for (const { from, to, weight } of links)
      next[to] = (next[to] ?? 0) + (follows * (now[from] ?? 0) * weight) / (out[from] ?? 1);
    now = next;
  }
  return now;
}

/** The probability that attention follows a link. */
const follows = 0.6;

function weightsOut(count: number, links: readonly Link[]): number[] {
  const out = Array.from({ length: count }, () => 0);
  for (const { from, weight } of links) out[from] = (out[from] ?? 0) + weight;
  return out;
}

/** Counts for each file how much each of its names is used. */
function usesOf(count: number, links: readonly Link[], standing: readonly number[]): Map<string, number>[] {
  const out = weightsOut(count, links);
  const uses = Array.from({ length: count }, () => new Map<string, number>());
  for (const { from, to, name, weight } of links) {
    const of = uses[to];
    of?.set(name, (of.get(name) ?? 0) + ((standing[from] ?? 0) * weight) / (out[from] ?? 1));
  }
  return uses;
}

function byUse(
  lines: readonly MapLine[],
  uses: ReadonlyMap<string, number> | undefined,
  matches: (name: string) => number,
): MapLine[] {
  const scored = lines.map((line) => ({
    line,
    score: ((uses?.get(line.name) ?? 0) + 1e-9) * (1 + 4 * matches(line.name)),
  }));
  return scored.toSorted((a, b) => b.score - a.score || a.line.line - b.line.line).map(({ line }) => line);
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
