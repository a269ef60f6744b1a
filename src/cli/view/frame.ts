import type { FrameOptions } from "./drawing.ts";
import { headerLines } from "./header.ts";
import type { ViewModel } from "./model.ts";
import { layOut, sectionsOf } from "./sections.ts";
import { clip } from "./width.ts";

/** The picture as lines, none wider than the terminal and never more than it has rows. */
export function frame(model: ViewModel, options: FrameOptions): string[] {
  const { size, paint, footer, warning } = options;
  const { columns, rows } = size;
  if (columns < 1 || rows < 1) return [];
  const header = headerLines(model, options);
  const warned = warning === null ? [] : [paint.red(clip(`! ${warning}`, columns))];
  const foot = rows >= 6 && footer !== "" ? [paint.dim(clip(footer, columns))] : [];
  const room = rows - header.length - warned.length - foot.length;
  const body = layOut(sectionsOf(model, options, Math.max(0, room)), { room, selected: options.selected });
  const blank = Array.from({ length: Math.max(0, room - body.length) }, () => "");
  return [...header, ...warned, ...body, ...blank, ...foot].slice(0, rows);
}

/** The tasks that can be chosen, in the order in which they stand. */
export function choices({ running, needs, next, finished }: ViewModel): string[] {
  const ids = [...running, ...needs, ...next, ...finished].map(({ id }) => id);
  return [...new Set(ids)].filter((id) => id !== "final tip");
}
