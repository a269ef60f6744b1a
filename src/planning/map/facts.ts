import { planningLimits } from "../limits.ts";

/** A line of a file that the map can show. */
export interface MapLine {
  /** What others call it; "" for a line that defines nothing, such as a heading. */
  readonly name: string;
  /** Whether other files can use it, as far as its language says. */
  readonly isOpen: boolean;
  readonly line: number;
  /** How many definitions it is nested in. */
  readonly depth: number;
  readonly signature: string;
}

/** All that the map knows about the text of one file, whatever its path. */
export interface FileFacts {
  readonly symbols: readonly MapLine[];
  /** Every word of the text once, in order, separated by blanks: a compact form, seldom read. */
  readonly words: string;
  /** The imports as written, without quotes. */
  readonly imports: readonly string[];
  /** The text itself says that it is generated. */
  readonly isMade: boolean;
}

/** A file of one commit. */
export interface MapFile {
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  readonly facts: FileFacts;
  /** It is vendored or generated. */
  readonly isDerived: boolean;
}

/** Shortens a text to one line of the map. */
export function oneLine(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length <= planningLimits.mapLineCharsMax ? line : `${cut(line, planningLimits.mapLineCharsMax - 1)}…`;
}

/** Cuts a text, never between the halves of one character. */
function cut(text: string, charsMax: number): string {
  const isSplit = /[\uD800-\uDBFF]/.test(text[charsMax - 1] ?? "");
  return text.slice(0, isSplit ? charsMax - 1 : charsMax);
}
