import { clip } from "../width.ts";
import type { FrameOptions } from "./drawing.ts";
import { headerLines } from "./header.ts";
import type { ViewModel } from "./model.ts";
import { finalId } from "./running.ts";
import { layOut, sectionsOf } from "./sections.ts";

/** The page as lines, none wider than the terminal and never more than it has rows. */
export function frame(model: ViewModel, options: FrameOptions): string[] {
  const { columns, rows } = options.size;
  if (columns < 1 || rows < 1) return [];
  // Where there is room, nothing sticks to the edge.
  const margin = columns < 60 ? 0 : 1;
  const inner = { ...options, size: { columns: columns - 2 * margin, rows } };
  return linesOf(model, inner).map((line) => (line === "" ? "" : " ".repeat(margin) + line));
}

function linesOf(model: ViewModel, options: FrameOptions): string[] {
  const { size, paint, footer, warning, selected } = options;
  const header = headerLines(model, options);
  const warned = warning === null ? [] : [paint.red(clip(`! ${warning}`, size.columns))];
  const foot = size.rows >= 6 && footer !== "" ? [paint.dim(clip(footer, size.columns))] : [];
  const room = Math.max(0, size.rows - header.length - warned.length - foot.length);
  const body = layOut(sectionsOf(model, options, room), { room, selected });
  const blank = Array.from({ length: Math.max(0, room - body.length) }, () => "");
  return [...header, ...warned, ...body, ...blank, ...foot].slice(0, size.rows);
}

/** The tasks that can be selected, in the order in which they are shown. */
export function choices({ running, needs, next, finished }: ViewModel): string[] {
  const ids = [...running, ...needs, ...next, ...finished].map(({ id }) => id);
  return [...new Set(ids)].filter((id) => id !== finalId);
}
