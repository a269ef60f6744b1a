import type { Paint } from "../paint.ts";
import type { Size } from "../terminal.ts";
import { clip, padEnd, padStart, widthOf } from "../width.ts";

/** How a page is drawn. */
export interface Drawing {
  readonly size: Size;
  readonly paint: Paint;
  /** The last line: the keys, or a message about what was just typed. */
  readonly footer: string;
}

/** How the page of the whole run is drawn. */
export interface FrameOptions extends Drawing {
  /** The task that the next key is about. */
  readonly selected: string | null;
  readonly warning: string | null;
}

/** A piece of a line; the one that is `flex` takes what the others leave. */
export interface Cell {
  readonly text: string;
  /** Cells of the terminal; absent means as wide as the text. */
  readonly width?: number;
  readonly flex?: true;
  readonly align?: "right";
  readonly paint?: (text: string) => string;
}

/** Fits cells into one line with a space between them; those at the end that leave no room for the rest are dropped. */
export function row(cells: readonly Cell[], width: number): string {
  const flexMin = 8;
  let kept = cells;
  const sizeOf = (cell: Cell) => (cell.flex === true ? 0 : (cell.width ?? widthOf(cell.text)));
  const needed = () => kept.reduce((sum, cell) => sum + sizeOf(cell) + 1, -1);
  const hasFlex = () => kept.some(({ flex }) => flex === true);
  while (kept.length > 1 && needed() + (hasFlex() ? flexMin : 0) > width) kept = kept.slice(0, -1);
  const left = Math.max(0, width - needed());
  return kept
    .map((cell, at) => {
      const isLast = at === kept.length - 1;
      const size = Math.min(width, cell.flex === true ? left : sizeOf(cell));
      const text = clip(cell.text, size);
      const padded = cell.align === "right" ? padStart(text, size) : isLast ? text : padEnd(text, size);
      return cell.paint === undefined ? padded : cell.paint(padded);
    })
    .join(" ");
}
