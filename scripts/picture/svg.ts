import { readAnsi, type Color, type Span, type Style } from "./ansi.ts";
import { widthOf } from "../../src/cli/width.ts";

export interface Caption {
  /** In the bar above the text. */
  readonly title: string;
  /** For readers who cannot see the picture, and for those who want to know where it is from. */
  readonly description: string;
}

/** In pixels. A cell has room for the wider of the fonts that machines have. */
const cell = { width: 8, height: 18 };
const margin = { side: 16, top: 44, bottom: 14 };
const fontSize = 13;

/** The screen has its own ground, so that it reads the same on a light page and on a dark one. */
const ground = "#161b22";
const ink = "#e6edf3";
const frame = "#6e7681";
const palette: readonly string[] =
  "#484f58 #ff7b72 #3fb950 #d29922 #58a6ff #bc8cff #39c5cf #b1bac4 #6e7681 #ffa198 #56d364 #e3b341 #79c0ff #d2a8ff #56d4dd #ffffff".split(
    " ",
  );

/** A screen of a terminal, as `tmux capture-pane -e -p` prints it, as a picture that needs nothing else. */
export function toSvg(screen: string, { title, description }: Caption): string {
  const lines = readAnsi(screen.trimEnd());
  const columns = Math.max(...lines.map((line) => line.reduce((sum, { text }) => sum + widthOf(text), 0)));
  const width = columns * cell.width + 2 * margin.side;
  const height = lines.length * cell.height + margin.top + margin.bottom;
  const font = "ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono','Liberation Mono',monospace";
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" font-family="${font}" font-size="${fontSize}">`,
    `<title>${escaped(title)}</title>`,
    `<desc>${escaped(description)}</desc>`,
    `<rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="8" fill="${ground}" stroke="${frame}"/>`,
    ...["#ff5f57", "#febc2e", "#28c840"].map((dot, at) => `<circle cx="${20 + at * 20}" cy="18" r="6" fill="${dot}"/>`),
    `<text x="${width / 2}" y="22" fill="${palette[7]}" text-anchor="middle">${escaped(title)}</text>`,
    ...lines.flatMap(drawLine),
    "</svg>",
  ].join("\n")}\n`;
}

function drawLine(spans: readonly Span[], row: number): string[] {
  let column = 0;
  return spans.flatMap((span) => {
    const at = column;
    column += widthOf(span.text);
    return drawSpan(span, { row, column: at });
  });
}

/** Every run of words has its own place and length, so that columns stand below each other in any font. */
function drawSpan({ text, style }: Span, { row, column }: { readonly row: number; readonly column: number }): string[] {
  const { fill, behind } = colorsOf(style);
  const x = (cells: number): number => margin.side + cells * cell.width;
  const top = margin.top + row * cell.height;
  const box = `x="${x(column)}" y="${top}" width="${widthOf(text) * cell.width}" height="${cell.height}"`;
  const drawn = behind === null ? [] : [`<rect ${box} fill="${behind}"/>`];
  for (const word of text.matchAll(/\S+(?: \S+)*/g)) {
    const place = `x="${x(column + widthOf(text.slice(0, word.index)))}" y="${top + cell.height - 5}"`;
    const length = `textLength="${widthOf(word[0]) * cell.width}" lengthAdjust="spacingAndGlyphs"`;
    drawn.push(`<text ${place} ${length} fill="${fill}"${attributesOf(style)}>${escaped(word[0])}</text>`);
  }
  return drawn;
}

function colorsOf({ color, background, reverse }: Style): { readonly fill: string; readonly behind: string | null } {
  const [front, back] = [color === null ? ink : shade(color), background === null ? null : shade(background)];
  return reverse ? { fill: back ?? ground, behind: front } : { fill: front, behind: back };
}

/** The 16 by name, then a cube of six steps a side, then greys. */
function shade(color: Color): string {
  if (typeof color === "string") return color;
  const named = palette[color];
  if (named !== undefined) return named;
  const cube = color - 16;
  const parts =
    color < 232
      ? [Math.floor(cube / 36), Math.floor(cube / 6) % 6, cube % 6].map((step) => (step === 0 ? 0 : 55 + step * 40))
      : Array<number>(3).fill(8 + (color - 232) * 10);
  return `#${parts.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
}

function attributesOf({ bold, dim, italic, underline }: Style): string {
  return [
    bold ? ' font-weight="bold"' : "",
    dim ? ' fill-opacity="0.65"' : "",
    italic ? ' font-style="italic"' : "",
    underline ? ' text-decoration="underline"' : "",
  ].join("");
}

function escaped(text: string): string {
  const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
  return text.replace(/[&<>"]/g, (char) => entities[char] ?? char);
}
