import { stripVTControlCharacters } from "node:util";
import { visible } from "../base/visible.ts";
import type { Io } from "./io.ts";
import type { Paint } from "./paint.ts";
import { isUnicode } from "./terminal.ts";
import { widthOf } from "./width.ts";

/** How a page is put on a screen. */
export interface Look {
  /** The width in columns. */
  readonly width: number;
  readonly paint: Paint;
  /** Whether the terminal draws more than ASCII. */
  readonly isUnicode: boolean;
}

/** One item of a page. Foreign text is made visible and marked on every further line: none of it can pass for a line of ours. */
export interface Item {
  readonly indent?: number;
  /** This is always our own text. */
  readonly label?: string;
  readonly text: string;
  /** What is painted: everything, or only the label. */
  readonly style?: Style;
  readonly styled?: "all" | "label";
  /** The text is all ours: further lines are aligned with its beginning, without a mark. */
  readonly ours?: true;
  /** The indent of our further lines, in columns from the indent. */
  readonly hang?: number;
}

/** How something is painted. */
export type Style = keyof Paint;

/** Returns how this process's output is drawn: by the terminal's width, or 80 columns without one. */
export function lookOf({ env, paint, columns = 80 }: Pick<Io, "env" | "paint" | "columns">): Look {
  return { width: columns, paint, isUnicode: isUnicode(env) };
}

/** Returns how event lines are drawn: in a pipe, which has no width, none of them is cut. */
export function linesLookOf(io: Pick<Io, "env" | "paint" | "columns">): Look {
  return { ...lookOf(io), width: io.columns ?? Number.POSITIVE_INFINITY };
}

/** Lays out a page as lines; each fits the width, as long as that is not absurd. */
export function lay(items: readonly Item[], look: Look): string[] {
  return items.flatMap((item) => (item.ours === true ? layOurs(item, look) : layForeign(item, look)));
}

export function heading(text: string): Item {
  return { text, style: "bold", ours: true };
}

/** Shows "none" for an empty list. */
export function orNone(items: readonly Item[]): readonly Item[] {
  return items.length === 0 ? [{ indent: 2, text: "none", ours: true }] : items;
}

/** An empty line. */
export const gap: Item = { text: "", ours: true };

/** With fewer columns there is no room for text, so lines get longer than the screen. */
const textColumnsMin = 16;

function layOurs(item: Item, { width, paint }: Look): string[] {
  const { indent = 0, label = "", text, hang = 2 } = item;
  const room = { first: width - indent, rest: width - indent - hang };
  const [first = "", ...more] = pieces(label + visible(text), room).map((piece) => piece.trimEnd());
  const began = painted(" ".repeat(indent) + first, item, paint);
  return [began.trimEnd(), ...more.map((piece) => " ".repeat(indent + hang) + paintedAll(piece, item, paint))];
}

function layForeign(item: Item, look: Look): string[] {
  // What ends with a new line, as a YAML block does, has no further line.
  const lines = item.text.replace(/\n$/, "").split("\n");
  return lines.flatMap((line, at) => layLine(line, { item, look, isFirst: at === 0 }));
}

function layLine(
  line: string,
  { item, look, isFirst }: { readonly item: Item; readonly look: Look; readonly isFirst: boolean },
): string[] {
  const { indent = 0, label = "" } = item;
  const { width, paint, isUnicode } = look;
  const inner = " ".repeat(indent + 2);
  const begin = isFirst ? " ".repeat(indent) + label : `${inner}| `;
  const room = { first: width - columnsOf(begin), rest: width - indent - 4 };
  // A label that leaves no room has a line of its own.
  const isCrowded = isFirst && label !== "" && room.first < textColumnsMin;
  const found = pieces(visible(line), isCrowded ? { ...room, first: room.rest } : room);
  const [first = "", ...more] = isCrowded ? ["", ...found] : found;
  const began = isFirst ? painted(begin + first, item, paint) : begin + paintedAll(first, item, paint);
  const continued = inner + paint.dim(isUnicode ? "\u21b3 " : "\\ ");
  return [began, ...more.map((piece) => continued + paintedAll(piece, item, paint))];
}

/** The indent stays bare, so that lines can be compared and found. */
function painted(line: string, { indent = 0, label = "", style, styled = "all" }: Item, paint: Paint): string {
  if (style === undefined) return line;
  const end = styled === "all" ? line.length : indent + label.length;
  return line.slice(0, indent) + paint[style](line.slice(indent, end)) + line.slice(end);
}

function paintedAll(text: string, { style, styled = "all" }: Item, paint: Paint): string {
  return style === undefined || styled === "label" ? text : paint[style](text);
}

/** Splits a text into pieces that together are the text again; after a space if there is one far enough along. */
export function pieces(text: string, room: { readonly first: number; readonly rest: number }): string[] {
  const found: string[] = [];
  let rest = text;
  for (;;) {
    const columns = Math.max(textColumnsMin, found.length === 0 ? room.first : room.rest);
    const end = endOf(rest, columns);
    if (end === rest.length) return [...found, rest];
    const space = rest.lastIndexOf(" ", end - 1) + 1;
    const cut = space > end / 2 ? space : end;
    found.push(rest.slice(0, cut));
    rest = rest.slice(cut);
  }
}

/**
 * Breaks a line that is too long for a terminal between words, and indents what follows. Words and commands in backticks
 * stay whole, so that they can be copied; without a terminal, so does the line.
 */
export function fitted(line: string, columns: number | undefined, indentOfRest?: number): string[] {
  // The codes of our colours have no width.
  const widthOf = (text: string) => columnsOf(stripVTControlCharacters(text));
  if (columns === undefined || columns < textColumnsMin || widthOf(line) <= columns) return [line];
  const below = indentOfRest ?? indentBelow(line);
  const indent = columns < below + textColumnsMin ? indentMin : below;
  const lines = [""];
  for (const [whole, word = ""] of line.trimEnd().matchAll(/ *((?:`[^`]*`|[^ ])+)/g)) {
    const current = lines.at(-1)!;
    if (current === "" || widthOf(current + whole) <= columns) lines[lines.length - 1] += whole;
    else lines.push(" ".repeat(indent) + word);
  }
  return lines;
}

/** In a narrow terminal, lines begin here wherever the first one does. */
const indentMin = 2;

/** Lines that follow a time begin below what it is the time of. */
function indentBelow(line: string): number {
  return columnsOf(/^(?:\d\d:\d\d:\d\d)? */.exec(line)?.[0] ?? "") + 2;
}

/** Returns how much of a text fits so many columns, never half of a character. */
function endOf(text: string, columns: number): number {
  let [end, used] = [0, 0];
  for (const char of text) {
    used += columnsOf(char);
    if (used > columns) return end;
    end += char.length;
  }
  return end;
}

/** Pictures and signs that are wide in some terminals only. */
const pictures = /[\u{1f000}-\u{1faff}]/u;

/**
 * Counts columns, never fewer than a terminal takes: it would start a new line in the middle of a text of others, without
 * a mark. Marks that combine count as well, because a tower of them must not be on one line.
 */
export function columnsOf(text: string): number {
  let columns = 0;
  for (const char of text) columns += pictures.test(char) ? 2 : Math.max(1, widthOf(char));
  return columns;
}
