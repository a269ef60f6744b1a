import { posix } from "node:path";
import { limits } from "../../limits.ts";
import { visible } from "../../plan/visible.ts";
import type { MapLine } from "./facts.ts";
import type { Ranked } from "./rank.ts";

/** A map as it is read, and what is in it. */
export interface FittedMap {
  readonly text: string;
  /** Files it names. */
  readonly files: number;
  /** Definitions it shows. */
  readonly symbols: number;
  /** By the estimate; never more than was allowed. */
  readonly tokens: number;
}

/** Writes as much as fits: the files that matter with their definitions, more by name alone; in the order of paths, so that little moves. */
export function fit(ranked: readonly Ranked[], tokensMax: number): FittedMap {
  const bytesMax = tokensMax * limits.mapTokenBytes;
  const room = new Room(bytesMax - bytesOf(heading));
  if (room.left < 0) return { text: "", files: 0, symbols: 0, tokens: 0 };
  const shown = chooseLines(ranked, room, bytesMax * (1 - namesShare));
  const named = chooseNames(ranked, shown, room);
  const text = [heading, ...detailed(shown), ...folders(named)].join("");
  const symbols = [...shown.values()].reduce((sum, lines) => sum + lines.filter(({ name }) => name !== "").length, 0);
  return {
    text,
    files: shown.size + named.length,
    symbols,
    tokens: Math.ceil(bytesOf(text) / limits.mapTokenBytes),
  };
}

const heading = "Files, with the lines of what they define; most others refer to these, or the goal names them.\n";

/** Of the budget, for files that are only named. */
const namesShare = 0.3;

/** What a file's next line is worth, against the one before. */
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

/** The best lines of all files, each with the path of its file where that is new. */
function chooseLines(ranked: readonly Ranked[], room: Room, bytesMax: number): Shown {
  const keep = room.left - bytesMax;
  const offers = ranked.flatMap((one) =>
    one.lines.slice(0, linesPerFileMax).map((line, at) => ({ one, line, worth: one.score * nextShare ** at })),
  );
  const shown: Shown = new Map();
  for (const { one, line } of offers.toSorted((a, b) => b.worth - a.worth)) {
    const lines = shown.get(one);
    const bytes = bytesOf(renderLine(line)) + (lines === undefined ? bytesOf(renderPath(one)) : 0);
    if (!room.take(bytes, keep)) continue;
    if (lines === undefined) shown.set(one, [line]);
    else lines.push(line);
  }
  return shown;
}

/** Beyond, a file should be read. */
const linesPerFileMax = 40;

/** The best of the others; the first of a folder pays for the folder's name. */
function chooseNames(ranked: readonly Ranked[], shown: Shown, room: Room): Ranked[] {
  const open = new Set<string>();
  return ranked.filter((one) => {
    if (shown.has(one)) return false;
    const folder = posix.dirname(one.file.path);
    const bytes = bytesOf(renderName(one)) + (open.has(folder) ? 0 : bytesOf(renderFolder(folder)) + 1);
    if (!room.take(bytes)) return false;
    open.add(folder);
    return true;
  });
}

function detailed(shown: Shown): string[] {
  return [...shown]
    .toSorted(([a], [b]) => byPath(a, b))
    .flatMap(([one, lines]) => [renderPath(one), ...lines.toSorted((a, b) => a.line - b.line).map(renderLine)]);
}

function folders(named: readonly Ranked[]): string[] {
  const byFolder = new Map<string, Ranked[]>();
  for (const one of named.toSorted(byPath)) {
    const folder = posix.dirname(one.file.path);
    byFolder.set(folder, [...(byFolder.get(folder) ?? []), one]);
  }
  return [...byFolder].map(([folder, all]) => `${renderFolder(folder)}${all.map(renderName).join("")}\n`);
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

function renderName({ file }: Ranked): string {
  return ` ${visible(posix.basename(file.path))}`;
}

function bytesOf(text: string): number {
  return Buffer.byteLength(text);
}
