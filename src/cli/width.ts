/** Characters of zero cells: marks that combine with the one before. */
const joining = /[\p{Mn}\p{Me}\u{1160}-\u{11ff}\u{d7b0}-\u{d7ff}]/u;

/** Characters of two cells, by the tables that terminals use: scripts of East Asia, and what is drawn as an emoji. */
const wide =
  /[\u{1100}-\u{115f}\u{2329}\u{232a}\u{2630}-\u{2637}\u{268a}-\u{268f}\u{2e80}-\u{303e}\u{3041}-\u{3247}\u{3250}-\u{a4cf}\u{a960}-\u{a97f}\u{ac00}-\u{d7a3}\u{f900}-\u{faff}\u{fe10}-\u{fe19}\u{fe30}-\u{fe6f}\u{ff01}-\u{ff60}\u{ffe0}-\u{ffe6}\u{16fe0}-\u{18dff}\u{1aff0}-\u{1b2ff}\u{1d300}-\u{1d376}\u{1f200}-\u{1f2ff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u;

const narrow = /^[ -~]*$/;

/** Counts the cells that a text takes in a terminal; it has no line ends and no control characters. */
export function widthOf(text: string): number {
  if (narrow.test(text)) return text.length;
  let cells = 0;
  for (const char of text) cells += cellsOf(char);
  return cells;
}

/** Returns the text, or as much of it as fits with a mark that there is more. */
export function clip(text: string, cells: number): string {
  if (widthOf(text) <= cells) return text;
  return cells <= 0 ? "" : `${beginning(text, cells - 1)}…`;
}

/** Splits a text into lines of so many cells, between words if that wastes little; an empty text is one line. */
export function wrap(text: string, cells: number): string[] {
  const lines: string[] = [];
  let left = text;
  while (widthOf(left) > cells) {
    const full = beginning(left, cells);
    // A character wider than the terminal cannot be shown at all.
    if (full === "") break;
    const space = full.lastIndexOf(" ");
    const isBetween = left[full.length] === " " || space <= full.length / 2;
    const line = isBetween ? full : full.slice(0, space);
    lines.push(line);
    left = left.slice(line.length).replace(/^ /, "");
  }
  return [...lines, clip(left, cells)];
}

/** Adds spaces after a text, up to so many cells. */
export function padEnd(text: string, cells: number): string {
  return text + " ".repeat(Math.max(0, cells - widthOf(text)));
}

/** Adds spaces before a text, up to so many cells. */
export function padStart(text: string, cells: number): string {
  return " ".repeat(Math.max(0, cells - widthOf(text))) + text;
}

function beginning(text: string, cells: number): string {
  let [end, used] = [0, 0];
  for (const char of text) {
    used += cellsOf(char);
    if (used > cells) break;
    end += char.length;
  }
  return text.slice(0, end);
}

/** Returns the width of one character; where the tables of terminals differ, the wider one counts. */
export function cellsOf(char: string): number {
  if (narrow.test(char)) return 1;
  if (joining.test(char)) return 0;
  return wide.test(char) ? 2 : 1;
}
