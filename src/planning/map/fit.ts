import { posix } from "node:path";
import { planningLimits } from "../limits.ts";
import { visible } from "../../base/visible.ts";
import type { MapLine } from "./facts.ts";
import type { Ranked } from "./rank.ts";

/** The text of a map, and how much is in it. */
export interface FittedMap {
  readonly text: string;
  /** Files it names. */
  readonly files: number;
  /** Definitions it shows. */
  readonly symbols: number;
  /** The estimated size; never more than was allowed. */
  readonly tokens: number;
}

/**
 * Writes as much as fits: the files that matter most with the lines of their definitions, then files by folder, and if
 * there is space the names that these define. All are in the order of paths, so that little moves from one map to the next.
 */
export function fit(ranked: readonly Ranked[], tokensMax: number): FittedMap {
  const bytesMax = tokensMax * planningLimits.mapTokenBytes - bytesOf(heading);
  if (bytesMax < 0) return { text: "", files: 0, symbols: 0, tokens: 0 };
  const offers = offersOf(ranked);
  const shares = mayNameAll(ranked, bytesMax) ? lineShares : lineShares.slice(-1);
  return shares
    .map((share) => written(choose(ranked, offers, { bytesMax, share })))
    .reduce((best, next) => (isMore(next, best) ? next : best));
}

function isMore(a: FittedMap, b: FittedMap): boolean {
  return a.files > b.files || (a.files === b.files && a.symbols > b.symbols);
}

const heading =
  "Files with lines of what they define, then more files (and names they define); the most used, or named by the goal.\n";

/** Shares of the budget for lines of definitions: the first that displaces no file and no definition is used, else the last. */
const lineShares = [1, 0.8, 0.6, 0.45, 0.3] as const;

/** The share of the budget for names of definitions without their lines, where lines are few. */
const namesShare = 0.35;

interface Chosen {
  readonly shown: Shown;
  readonly named: readonly Ranked[];
  readonly names: Names;
}

function choose(
  ranked: readonly Ranked[],
  offers: readonly Offer[],
  { bytesMax, share }: { readonly bytesMax: number; readonly share: number },
): Chosen {
  const room = new Room(bytesMax);
  const shown = chooseLines(offers, room, bytesMax * (1 - share));
  const named = chooseFiles(ranked, shown, { room, keep: bytesMax * Math.min(namesShare, 1 - share) });
  return { shown, named, names: chooseNames(offers, new Set(named), room) };
}

function mayNameAll(ranked: readonly Ranked[], bytesMax: number): boolean {
  return ranked.reduce((sum, one) => sum + bytesOf(renderName(one, [])), 0) <= bytesMax;
}

function written({ shown, named, names }: Chosen): FittedMap {
  const text = [heading, ...detailed(shown), ...folders(named, names)].join("");
  const lines = [...shown.values()].flat().filter(({ name }) => name !== "");
  return {
    text,
    files: shown.size + named.length,
    symbols: lines.length + [...names.values()].flat().length,
    tokens: Math.ceil(bytesOf(text) / planningLimits.mapTokenBytes),
  };
}

/** How much a file's next line is worth, compared with the one before. */
const nextShare = 0.7;

class Room {
  left: number;

  constructor(bytes: number) {
    this.left = bytes;
  }

  take(bytes: number, keep = 0): boolean {
    if (bytes > this.left - keep) return false;
    this.left -= bytes;
    return true;
  }
}

type Shown = Map<Ranked, MapLine[]>;

/** Chooses the best lines of all files; the first line of a file also pays for its path. */
function chooseLines(offers: readonly Offer[], room: Room, keep: number): Shown {
  const shown: Shown = new Map();
  for (const { one, line } of offers) {
    const lines = shown.get(one);
    const bytes = bytesOf(renderLine(line)) + (lines === undefined ? bytesOf(renderPath(one)) : 0);
    if (!room.take(bytes, keep)) continue;
    if (lines === undefined) shown.set(one, [line]);
    else lines.push(line);
  }
  return shown;
}

interface Offer {
  readonly one: Ranked;
  readonly line: MapLine;
}

/** Sorts the lines of all files, the most valuable first. */
function offersOf(ranked: readonly Ranked[]): Offer[] {
  return ranked
    .flatMap((one) =>
      one.lines.slice(0, linesPerFileMax).map((line, at) => ({ one, line, worth: one.score * nextShare ** at })),
    )
    .toSorted((a, b) => b.worth - a.worth);
}

/** The most lines of one file; for more, an agent should read the file. */
const linesPerFileMax = 40;

/** Chooses the best other files; the first of a folder also pays for the folder's name. */
function chooseFiles(
  ranked: readonly Ranked[],
  shown: Shown,
  { room, keep }: { readonly room: Room; readonly keep: number },
): Ranked[] {
  const open = new Set<string>();
  return ranked.filter((one) => {
    if (shown.has(one)) return false;
    const folder = posix.dirname(one.file.path);
    const bytes = bytesOf(renderName(one, [])) + (open.has(folder) ? 0 : bytesOf(renderFolder(folder)) + 1);
    if (!room.take(bytes, keep)) return false;
    open.add(folder);
    return true;
  });
}

type Names = Map<Ranked, string[]>;

function chooseNames(offers: readonly Offer[], named: ReadonlySet<Ranked>, room: Room): Names {
  const chosen: Names = new Map();
  for (const { one, line } of offers) {
    const names = chosen.get(one) ?? [];
    if (!named.has(one) || line.name === "" || names.includes(line.name)) continue;
    // Counts a blank, or a pair of parentheses.
    if (!room.take(bytesOf(visible(line.name)) + (names.length === 0 ? 2 : 1))) continue;
    chosen.set(one, [...names, line.name]);
  }
  return chosen;
}

function detailed(shown: Shown): string[] {
  return [...shown]
    .toSorted(([a], [b]) => byPath(a, b))
    .flatMap(([one, lines]) => [renderPath(one), ...lines.toSorted((a, b) => a.line - b.line).map(renderLine)]);
}

function folders(named: readonly Ranked[], names: Names): string[] {
  const byFolder = new Map<string, Ranked[]>();
  for (const one of named.toSorted(byPath)) {
    const folder = posix.dirname(one.file.path);
    byFolder.set(folder, [...(byFolder.get(folder) ?? []), one]);
  }
  return [...byFolder].map(
    ([folder, all]) => `${renderFolder(folder)}${all.map((one) => renderName(one, names.get(one) ?? [])).join("")}\n`,
  );
}

function byPath(a: Ranked, b: Ranked): number {
  return a.file.path < b.file.path ? -1 : 1;
}

function renderPath({ file }: Ranked): string {
  return `${visible(file.path)}\n`;
}

function renderLine({ line, depth, signature }: MapLine): string {
  return `${" ".repeat(Math.min(depth, 3) + 1)}${line} ${visible(signature)}\n`;
}

function renderFolder(folder: string): string {
  return `${visible(folder)}/:`;
}

/** Adds the size to the name of a large file, whose text is not read. */
function renderName({ file: { path, size } }: Ranked, names: readonly string[]): string {
  const defines = names.length === 0 ? "" : `(${visible(names.join(" "))})`;
  const large = size > planningLimits.mapFileBytesMax ? `[${Math.round(size / 1000)} kB]` : "";
  return ` ${visible(posix.basename(path))}${large}${defines}`;
}

function bytesOf(text: string): number {
  return Buffer.byteLength(text);
}
