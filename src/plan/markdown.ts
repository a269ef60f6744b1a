/** One line of a markdown body, with what a reader of the rendered page would take it for. */
export interface Line {
  /** The text has no line end. */
  readonly text: string;
  /** The index in the body of the line's first character. */
  readonly index: number;
  /** Lines of the body count from 1. */
  readonly number: number;
  readonly kind: "prose" | "heading" | "code" | "comment";
  /** The number of the line on which the code or comment that this line is part of begins. */
  readonly opened?: number;
}

/** A `##` heading and the lines up to the next heading of its level or above. */
export interface Section {
  readonly heading: string;
  readonly number: number;
  readonly lines: readonly Line[];
}

/**
 * Sorts the lines of a body, in one pass and linear time: a CommonMark parser needs hours for a hostile megabyte.
 * Headings are those at the start of a line; within a fence, a comment or a `<pre>` block nothing is a heading.
 */
export function classifyLines(body: string): Line[] {
  let open: OpenBlock | undefined;
  let opened = 0;
  let index = 0;
  return body.split("\n").map((raw, i) => {
    const text = raw.endsWith("\r") ? raw.slice(0, -1) : raw;
    const at = { text, index, number: i + 1 };
    index += raw.length + 1;
    const inside = open;
    const block = inside ?? openBlock(text);
    if (block === undefined) return { ...at, kind: isHeading(text) ? "heading" : "prose" };
    if (inside === undefined) opened = at.number;
    open = closes(block, text, inside === undefined) ? undefined : block;
    return { ...at, kind: block.kind, opened };
  });
}

/** Finds every `##` section in order; text before the first is in none. */
export function sectionsOf(lines: readonly Line[]): Section[] {
  const sections: { heading: string; number: number; lines: Line[] }[] = [];
  let current: Line[] = [];
  for (const line of lines) {
    const heading = line.kind === "heading" ? headingOf(line.text) : undefined;
    if (heading === undefined || heading.depth > 2) {
      current.push(line);
      continue;
    }
    current = [];
    if (heading.depth === 2) sections.push({ heading: heading.title, number: line.number, lines: current });
  }
  return sections;
}

/** Whether a section has nothing to read: blanks and comments only. */
export function saysNothing({ lines }: Section): boolean {
  return lines.every(({ kind, text }) => kind === "comment" || text.trim() === "");
}

/** Reads the level and words of a heading line, without closing `#`s. */
export function headingOf(text: string): { readonly depth: number; readonly title: string } {
  const depth = /^#+/.exec(text)?.[0].length ?? 0;
  const words = text.slice(depth).trim();
  const unclosed = words.replace(/(?<!#)#+$/, "");
  return { depth, title: unclosed === "" || /\s$/.test(unclosed) ? unclosed.trim() : words };
}

interface OpenBlock {
  readonly kind: "code" | "comment";
  readonly isClosedBy: (text: string) => boolean;
  /** A comment may end on the line it began; a fence may not. */
  readonly oneLine: boolean;
}

function openBlock(text: string): OpenBlock | undefined {
  if (/^ {0,3}</.test(text)) return openHtml(text);
  return text.includes("```") || text.includes("~~~") ? openFence(text) : undefined;
}

function openHtml(text: string): OpenBlock | undefined {
  if (/^ {0,3}<!--/.test(text)) return { kind: "comment", isClosedBy: (line) => line.includes("-->"), oneLine: true };
  if (!/^ {0,3}<(?:pre|script|style|textarea)(?:[ \t>]|$)/i.test(text)) return undefined;
  const closing = /<\/(?:pre|script|style|textarea)>/i;
  return { kind: "code", isClosedBy: (line) => closing.test(line), oneLine: true };
}

/** A fence may open on the very line of a list marker; its end is then indented as far as its start. */
function openFence(text: string): OpenBlock | undefined {
  const opening = /^( {0,3}(?:(?:[-*+]|\d{1,9}[.)]) {1,4}){0,8})(`{3,}|~{3,})/.exec(text);
  const [whole = "", lead = "", fence = ""] = opening ?? [];
  if (opening === null || (fence.startsWith("`") && text.includes("`", whole.length))) return undefined;
  const isClosedBy = (line: string): boolean => {
    const end = /^ *(`+|~+)[ \t]*$/.exec(line);
    const marks = end?.[1] ?? "";
    const indent = line.indexOf(marks);
    return marks.length >= fence.length && marks[0] === fence[0] && indent < lead.length + 4;
  };
  return { kind: "code", isClosedBy, oneLine: false };
}

function closes(block: OpenBlock, text: string, isFirstLine: boolean): boolean {
  return (block.oneLine || !isFirstLine) && block.isClosedBy(text);
}

function isHeading(text: string): boolean {
  return /^#{1,6}(?:[ \t]|$)/.test(text);
}
