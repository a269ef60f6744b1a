import { splitFrontMatter } from "../../front-matter.ts";
import { classifyLines } from "../../markdown.ts";
import type { Position } from "../../types.ts";

/** A line that people and agents read as words. */
export interface ProseLine {
  readonly text: string;
  /** The same with blanks in place of code, so that columns stay the same. */
  readonly words: string;
  readonly line: number;
  readonly isHeading: boolean;
}

/** Reads the prose of a document, without front matter, comments and code. */
export function proseOf(text: string): ProseLine[] {
  const split = splitFrontMatter(text);
  const { body, bodyLine } = typeof split === "string" ? { body: text, bodyLine: 1 } : split;
  return classifyLines(body)
    .filter(({ kind }) => kind === "prose" || kind === "heading")
    .map((line) => ({
      text: line.text,
      words: withoutCode(line.text),
      line: bodyLine + line.number - 1,
      isHeading: line.kind === "heading",
    }));
}

/** Says where a match of a line begins. */
export function placeIn({ line }: Pick<ProseLine, "line">, match: { readonly index: number }): Position {
  return { line, column: match.index + 1 };
}

function withoutCode(text: string): string {
  return text.replace(/`[^`]*`/g, (code) => " ".repeat(code.length));
}
