import { planningLimits } from "../limits.ts";

/** A line of a file that the map can show. */
export interface MapLine {
  /** What others call it; "" for a line that defines nothing, such as a heading. */
  readonly name: string;
  /** Other files can use it, as far as its language tells. */
  readonly isOpen: boolean;
  readonly line: number;
  /** How many others it is a member of. */
  readonly depth: number;
  readonly signature: string;
}

/** All that the map knows of the text of one file, whatever its path. */
export interface FileFacts {
  readonly symbols: readonly MapLine[];
  /** Every word of the text once, in the order of the text, with blanks between: short to keep, and few ask for it. */
  readonly words: string;
  /** As they are written, without quotes. */
  readonly imports: readonly string[];
  /** The text itself says that tools made it. */
  readonly isMade: boolean;
}

/** A file of one commit. */
export interface MapFile {
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  readonly facts: FileFacts;
  /** Nobody here writes it: it is others' code, or tools made it. */
  readonly isDerived: boolean;
}

/** As one line of the map. */
export function oneLine(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length <= planningLimits.mapLineCharsMax ? line : `${cut(line, planningLimits.mapLineCharsMax - 1)}…`;
}

/** Never between the halves of one character. */
function cut(text: string, charsMax: number): string {
  const isSplit = /[\uD800-\uDBFF]/.test(text[charsMax - 1] ?? "");
  return text.slice(0, isSplit ? charsMax - 1 : charsMax);
}
