/** Characters of one line that look alike. */
export interface Span {
  readonly text: string;
  readonly style: Style;
}

export interface Style {
  /** Null is the terminal's own. */
  readonly color: Color | null;
  readonly background: Color | null;
  readonly bold: boolean;
  readonly dim: boolean;
  readonly italic: boolean;
  readonly underline: boolean;
  readonly reverse: boolean;
}

/** One of the 256 that have numbers, or a mixture. */
export type Color = number | `#${string}`;

export const plainStyle: Style = {
  color: null,
  background: null,
  bold: false,
  dim: false,
  italic: false,
  underline: false,
  reverse: false,
};

/** Reads what `tmux capture-pane -e -p` prints: text with colours. A style applies until it is changed, even across lines. */
export function readAnsi(text: string): readonly (readonly Span[])[] {
  let style = plainStyle;
  return text.split("\n").map((line) => {
    const spans: Span[] = [];
    for (const piece of line.split(sequences)) {
      const codes = sgr.exec(piece)?.[1];
      if (codes !== undefined) style = restyled(style, codes);
      else if (piece !== "" && !piece.startsWith(escape)) spans.push({ text: piece, style });
    }
    return spans;
  });
}

const escape = "\u{1b}";
/** Sequences of two kinds: `ESC [ … letter`, and `ESC ] … BEL` such as links. Split with a group, so that they are kept. */
const sequences = new RegExp(
  `(${escape}\\[[0-9;:?]*[@-~]|${escape}\\][^\\u{7}${escape}]*(?:\\u{7}|${escape}\\\\))`,
  "u",
);
const sgr = new RegExp(`^${escape}\\[([0-9;:]*)m$`, "u");

function restyled(before: Style, codes: string): Style {
  const numbers = codes.split(/[;:]/).map(Number);
  let style = before;
  for (let at = 0; at < numbers.length; at += 1) {
    const code = numbers[at] ?? 0;
    if (code === 38 || code === 48) {
      const { color, length } = extended(numbers.slice(at + 1));
      style = { ...style, [code === 38 ? "color" : "background"]: color };
      at += length;
    } else style = { ...style, ...changeOf(code) };
  }
  return style;
}

/** `5;n` is a colour by number, `2;r;g;b` a mixture. */
function extended([kind, ...rest]: readonly number[]): { readonly color: Color | null; readonly length: number } {
  if (kind === 5) return { color: rest[0] ?? null, length: 2 };
  if (kind !== 2) return { color: null, length: 1 };
  const hex = rest.slice(0, 3).map((part) => part.toString(16).padStart(2, "0"));
  return { color: `#${hex.join("")}`, length: 4 };
}

function changeOf(code: number): Partial<Style> {
  if (code >= 30 && code <= 37) return { color: code - 30 };
  if (code >= 90 && code <= 97) return { color: code - 82 };
  if (code >= 40 && code <= 47) return { background: code - 40 };
  if (code >= 100 && code <= 107) return { background: code - 92 };
  return changes[code] ?? {};
}

const changes: Readonly<Record<number, Partial<Style>>> = {
  0: plainStyle,
  1: { bold: true },
  2: { dim: true },
  3: { italic: true },
  4: { underline: true },
  7: { reverse: true },
  22: { bold: false, dim: false },
  23: { italic: false },
  24: { underline: false },
  27: { reverse: false },
  39: { color: null },
  49: { background: null },
};
