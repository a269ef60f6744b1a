/** A document cut at the lines around its YAML. This is apart from reading the YAML, whose parser takes a while to load. */
export interface FrontMatterSplit {
  readonly yaml: string;
  readonly body: string;
  readonly bodyLine: number;
  /** Index in the text at which `body` begins. */
  readonly bodyIndex: number;
}

/** Finds the two `---` lines; a line may end in spaces and CRLF. */
export function splitFrontMatter(text: string): FrontMatterSplit | "none" | "unclosed" {
  const opening = /^---[ \t]*\r?(?:\n|$)/.exec(text);
  if (opening === null) return "none";
  const start = opening[0].length;
  const closing = /(?<=\n)---[ \t]*\r?(?:\n|$)/g;
  closing.lastIndex = start;
  const match = closing.exec(text);
  if (match === null) return "unclosed";
  const bodyIndex = match.index + match[0].length;
  const bodyLine = text.slice(0, bodyIndex).split("\n").length;
  return { yaml: text.slice(start, match.index), body: text.slice(bodyIndex), bodyLine, bodyIndex };
}
