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

/**
 * Writes as much as fits: the files that matter most with the lines of their definitions, then files by folder, and with what
 * is left the names that these define. All in the order of paths, so that little moves from one map to the next.
 */
export function fit(ranked: readonly Ranked[], tokensMax: number): FittedMap {
  const bytesMax = tokensMax * limits.mapTokenBytes;
  const room = new Room(bytesMax - bytesOf(heading));
  if (room.left < 0) return { text: "", files: 0, symbols: 0, tokens: 0 };
  const shown = chooseLines(ranked, room, bytesMax * (1 - shares.lines));
  const named = chooseFiles(ranked, shown, { room, keep: bytesMax * shares.names });
  const names = chooseNames(named, room);
  const text = [heading, ...detailed(shown), ...folders(named, names)].join("");
  const lines = [...shown.values()].flat().filter(({ name }) => name !== "");
  return {
    text,
    files: shown.size + named.length,
    symbols: lines.length + [...names.values()].flat().length,
    tokens: Math.ceil(bytesOf(text) / limits.mapTokenBytes),
  };
}

const heading =
  "Files with lines of what they define, then more files (and names they define); the most used, or named by the goal.\n";

/** Of the budget: for lines of definitions, and for bare names of more; the rest is for names of files. */
const shares = { lines: 0.3, names: 0.35 } as const;

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
function chooseLines(ranked: readonly Ranked[], room: Room, keep: number): Shown {
  const shown: Shown = new Map();
  for (const { one, line } of offersOf(ranked)) {
    const lines = shown.get(one);
    const bytes = bytesOf(renderLine(line)) + (lines === undefined ? bytesOf(renderPath(one)) : 0);
    if (!room.take(bytes, keep)) continue;
    if (lines === undefined) shown.set(one, [line]);
    else lines.push(line);
  }
  return shown;
}

/** Lines of all files, the one that is worth most first. */
function offersOf(ranked: readonly Ranked[]): { one: Ranked; line: MapLine }[] {
  return ranked
    .flatMap((one) =>
      one.lines.slice(0, linesPerFileMax).map((line, at) => ({ one, line, worth: one.score * nextShare ** at })),
    )
    .toSorted((a, b) => b.worth - a.worth);
}

/** Beyond, a file should be read. */
const linesPerFileMax = 40;

/** The best of the others; the first of a folder pays for the folder's name. */
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

function chooseNames(named: readonly Ranked[], room: Room): Names {
  const chosen: Names = new Map();
  for (const { one, line } of offersOf(named)) {
    const names = chosen.get(one) ?? [];
    if (line.name === "" || names.includes(line.name)) continue;
    // A blank, or a pair of parentheses.
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

function renderName({ file }: Ranked, names: readonly string[]): string {
  const defines = names.length === 0 ? "" : `(${visible(names.join(" "))})`;
  return ` ${visible(posix.basename(file.path))}${defines}`;
}

function bytesOf(text: string): number {
  return Buffer.byteLength(text);
}
