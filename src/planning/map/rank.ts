import { mappedLanguageOf } from "../../syntax/language.ts";
import { planningLimits } from "../limits.ts";
import { isOfKind } from "../../plan/protected.ts";
import type { MapFile, MapLine } from "./facts.ts";
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

/** Weighs a file without references: work is mostly on code, then on its tests, then on the rest. */
function weightOf({ path, isDerived }: MapFile): number {
  if (isDerived) return weightOfKind.derived;
  return mappedLanguageOf(path) === undefined ? weightOfKind.other : isOfKind(path, "test") ? weightOfKind.test : 1;
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

/** Rates how much each file has to do with the words of a goal, from 0 to 1; all 0 where no word is found. */
function relevanceTo(goal: string, files: readonly MapFile[]): number[] {
  const terms = [...termsOf(goal.slice(0, planningLimits.mapGoalCharsMax))];
  if (terms.length === 0) return files.map(() => 0);
  const found = files.map((file) => termsIn(file, new Set(terms)));
  const weights = new Map(
    terms.map((term) => {
      const holders = found.filter((one) => one.has(term)).length;
      return [term, Math.log(1 + files.length / (1 + holders))];
    }),
  );
  const sums = found.map((one) => [...one].reduce((sum, [term, share]) => sum + share * (weights.get(term) ?? 0), 0));
  const most = sums.reduce((high, sum) => Math.max(high, sum), 1e-9);
  return sums.map((sum) => (sum / most) ** 2);
}

/** Counts the words of the goal that a name has. */
function nameMatcher(goal: string): (name: string) => number {
  const terms = termsOf(goal.slice(0, planningLimits.mapGoalCharsMax));
  return (name) => (terms.size === 0 ? 0 : [...termsOf(name)].filter((term) => terms.has(term)).length);
}

/** Weighs a word in the path more than one in a defined name, and that more than one that is only used. */
const shares = { path: 3, defined: 2, used: 1 } as const;

function termsIn({ path, facts }: MapFile, wanted: ReadonlySet<string>): Map<string, number> {
  const found = new Map<string, number>();
  const note = (text: string, share: number): void => {
    for (const term of partsOf(text)) if (wanted.has(term)) found.set(term, Math.max(share, found.get(term) ?? 0));
  };
  note(path, shares.path);
  for (const { name, signature } of facts.symbols) note(name === "" ? signature : name, shares.defined);
  note(facts.words, shares.used);
  return found;
}

/** Returns the words of a text, without those that every goal has. */
function termsOf(text: string): Set<string> {
  return new Set(partsOf(text).filter((term) => !stopWords.has(term)));
}

/** Splits names, lowers capitals and drops common endings: `runTasks` has `run` and `task`. */
function partsOf(text: string): string[] {
  const apart = text.replaceAll(/(?<=[\p{Ll}\d])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/gu, " ").toLowerCase();
  return (apart.match(/[\p{L}\d]{3,}/gu) ?? []).map(stem);
}

function stem(word: string): string {
  const short = word.replace(/(?:ies|ied)$/, "y").replace(/(?:ing|ed|es|s|e)$/, "");
  return short.length >= 3 ? short : word;
}

const stopWords: ReadonlySet<string> = new Set(
  (
    "the and for with that this from into its not are was but what who whom when where which while all any each more than then them they " +
    "let make give take say tell keep add new one two use can may must never only also how why has have had will would should does " +
    "there their his her our your out off over under after before about because been being such other same very just file files code"
  )
    .split(" ")
    .map(stem),
);
