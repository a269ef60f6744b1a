import { marks } from "../../report/marks.ts";
import { shortCount } from "../../report/render-cost.ts";
import { clip, widthOf } from "../width.ts";
import { type FrameOptions, row, type Cell } from "./drawing.ts";
import type { ViewModel } from "./model.ts";
import type { FinishedRow, NeedRow, NextRow, RunningRow } from "./rows.ts";
import { briefClock, estimate } from "./format.ts";

/** A heading with items that all have the same number of lines. */
export interface Section {
  readonly heading: (shown: number) => string;
  readonly ids: readonly string[];
  readonly itemLines: number;
  readonly draw: (at: number) => readonly string[];
  /** The number of items, as far as they exist, that it gets before others get more. */
  readonly share: readonly [number, number];
}

type RowDrawing = FrameOptions & { readonly idWidth: number };

/** Returns the sections below the header, in this order; empty ones are left out. */
export function sectionsOf(model: ViewModel, options: FrameOptions, room: number): Section[] {
  const { running, needs, next, finished, waiting, progress } = model;
  const drawing = { ...options, idWidth: idWidthOf(model, options.size.columns) };
  const isRoomy = options.size.columns >= 60 && running.length * 2 + 1 <= room * 0.6;
  const all = Number.POSITIVE_INFINITY;
  const sections: Section[] = [
    {
      ...itemsOf(running, (item) => runningLines(item, drawing, isRoomy)),
      heading: headingOf(options, "Running", running.length),
      itemLines: isRoomy ? 2 : 1,
      share: [1, all],
    },
    {
      ...itemsOf(needs, (item) => needLines(item, drawing)),
      heading: headingOf(options, "Needs you", needs.length),
      itemLines: 2,
      share: [1, all],
    },
    {
      ...itemsOf(next, (item) => [nextLine(item, drawing)]),
      heading: headingOf(options, "Next", Math.max(waiting, next.length)),
      itemLines: 1,
      share: [1, 4],
    },
    {
      ...itemsOf(finished, (item) => [finishedLine(item, drawing)]),
      heading: headingOf(options, "Finished", Math.max(progress.done, finished.length)),
      itemLines: 1,
      share: [1, 4],
    },
  ];
  return sections.filter(({ ids }) => ids.length > 0);
}

/** Gives each section its minimum, then more in order, and shows the part around the selected item. */
export function layOut(
  sections: readonly Section[],
  { room, selected }: { readonly room: number; readonly selected: string | null },
): string[] {
  const hasGaps = room >= 12;
  const granted = sections.map(() => 0);
  let left = room;
  const grow = (upTo: (section: Section) => number) => {
    for (const [at, section] of sections.entries()) {
      const most = Math.min(section.ids.length, upTo(section));
      while (granted[at]! < most) {
        const cost = section.itemLines + (granted[at] === 0 ? (hasGaps ? 2 : 1) : 0);
        if (cost > left) break;
        left -= cost;
        granted[at]! += 1;
      }
    }
  };
  grow(({ share }) => share[0]);
  grow(({ share }) => share[1]);
  grow(({ ids }) => ids.length);
  return sections.flatMap((section, at) => {
    const count = granted[at]!;
    if (count === 0) return [];
    const from = firstShown(section.ids, count, selected);
    const items = Array.from({ length: count }, (_, index) => section.draw(from + index)).flat();
    return [...(hasGaps ? [""] : []), section.heading(count), ...items];
  });
}

function firstShown(ids: readonly string[], count: number, selected: string | null): number {
  const at = selected === null ? -1 : ids.indexOf(selected);
  return Math.max(0, Math.min(at - Math.floor(count / 2), ids.length - count));
}

function itemsOf<T extends { readonly id: string }>(items: readonly T[], lines: (item: T) => readonly string[]) {
  return { ids: items.map(({ id }) => id), draw: (at: number) => lines(items[at]!) };
}

function headingOf({ paint, size }: FrameOptions, words: string, count: number): (shown: number) => string {
  return (shown) => {
    const text = clip(words, size.columns);
    const more = shown < count ? ` ${shown} of ${count}` : ` ${count}`;
    return paint.bold(text) + paint.dim(clip(more, size.columns - widthOf(text)));
  };
}

/** Measures the longest id of what is shown, within reason. */
function idWidthOf({ running, needs, next, finished }: ViewModel, columns: number): number {
  const widths = [
    ...running.map(({ id, attempt }) => widthOf(withAttempt(id, attempt))),
    ...finished.map(({ id, attempts }) => widthOf(withAttempt(id, attempts > 1 ? attempts : 0))),
    ...[...needs, ...next].map(({ id }) => widthOf(id)),
  ];
  return Math.min(
    widths.reduce((most, width) => Math.max(most, width), 0),
    Math.max(8, Math.floor(columns / 4)),
  );
}

function withAttempt(id: string, attempt: number): string {
  return attempt === 0 ? id : `${id} #${attempt}`;
}

function mark({ selected, paint }: RowDrawing, id: string, other: Cell): Cell {
  return id === selected ? { text: "›", width: 1, paint: paint.cyan } : { ...other, width: 1 };
}

function chosen({ selected, paint }: RowDrawing, id: string): Pick<Cell, "paint"> {
  return id === selected ? { paint: paint.bold } : {};
}

/** The longest word of a phase. */
const phaseWidth = "integrating".length;

const tints: Readonly<Record<string, "cyan" | "green">> = { working: "cyan", verified: "green", integrating: "green" };

function runningLines(item: RunningRow, drawing: RowDrawing, isRoomy: boolean): string[] {
  const { paint, size, idWidth } = drawing;
  const { id, attempt, title, phase, line, tokens, elapsedMs, estimateMs } = item;
  const isLate = elapsedMs !== null && estimateMs !== null && elapsedMs > estimateMs;
  const time = elapsedMs === null ? "" : briefClock(elapsedMs);
  const planned = estimateMs === null ? "" : `of ${estimate(estimateMs)}`;
  const cells: Cell[] = [
    mark(drawing, id, { text: " " }),
    { text: withAttempt(id, attempt), width: idWidth, ...chosen(drawing, id) },
    { text: phase, width: phaseWidth, ...(tints[phase] !== undefined && { paint: paint[tints[phase]] }) },
    { text: isRoomy ? title : line, flex: true, ...(!isRoomy && { paint: paint.dim }) },
    { text: time, width: 7, align: "right", ...(isLate && { paint: paint.yellow }) },
    { text: planned, width: Math.max(6, planned.length), paint: isLate ? paint.yellow : paint.dim },
    {
      text: tokens === null || tokens === 0 ? "" : `${shortCount(tokens)} tok`,
      width: 9,
      align: "right",
      paint: paint.dim,
    },
  ];
  const first = row(cells, size.columns);
  return isRoomy ? [first, paint.dim(clip(`    ${line}`, size.columns))] : [first];
}

const needMarks = { asks: marks.asking, blocked: marks.blocked, yours: marks.taken };

function needLines({ id, kind, why, type }: NeedRow, drawing: RowDrawing): string[] {
  const { paint, size, idWidth } = drawing;
  const tint = kind === "blocked" ? paint.red : paint.yellow;
  const first = row(
    [
      mark(drawing, id, { text: needMarks[kind], paint: tint }),
      { text: id, width: idWidth, ...chosen(drawing, id) },
      { text: kind, width: phaseWidth, paint: tint },
      { text: why, flex: true },
    ],
    size.columns,
  );
  return [first, paint.cyan(clip(`    ${type.join("  or  ")}`, size.columns))];
}

function nextLine({ id, title, why }: NextRow, drawing: RowDrawing): string {
  const { paint, size, idWidth } = drawing;
  const cells: Cell[] = [
    mark(drawing, id, { text: " " }),
    { text: id, width: idWidth, ...chosen(drawing, id) },
    { text: title, width: Math.floor((size.columns - idWidth) * 0.45) },
    { text: why(), flex: true, paint: paint.dim },
  ];
  return row(cells, size.columns);
}

function finishedLine({ id, title, commit, attempts, tookMs }: FinishedRow, drawing: RowDrawing): string {
  const { paint, size, idWidth } = drawing;
  const isProven = commit !== null;
  const proof = isProven ? commit.slice(0, 12) : "nothing proven";
  const cells: Cell[] = [
    mark(drawing, id, {
      text: isProven ? marks.integrated : marks.satisfied,
      paint: isProven ? paint.green : paint.yellow,
    }),
    { text: withAttempt(id, attempts > 1 ? attempts : 0), width: idWidth, ...chosen(drawing, id) },
    { text: title, flex: true },
    { text: briefClock(tookMs), width: 7, align: "right", paint: paint.dim },
    { text: proof, width: 14, paint: isProven ? paint.dim : paint.yellow },
  ];
  return row(cells, size.columns);
}
