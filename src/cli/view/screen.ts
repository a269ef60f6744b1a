import { stripVTControlCharacters } from "node:util";
import type { Terminal } from "../terminal.ts";
import { widthOf } from "./width.ts";

/** The alternate screen of a terminal; nothing else writes codes that move the cursor. */
export interface Screen {
  /** Writes the lines that differ from those that stand there. */
  readonly draw: (lines: readonly string[]) => void;
  /** Forgets what stands there, so that all is drawn anew. */
  readonly forget: () => void;
  /** Gives the terminal back as it was; once. */
  readonly close: () => void;
}

const esc = "\u{1b}[";
/** Alternate screen, no cursor, and lines that are too long are cut by the terminal, not wrapped. */
const [enter, leave] = [`${esc}?1049h${esc}?25l${esc}?7l`, `${esc}?7h${esc}?25h${esc}?1049l`];
/** Terminals that know it show all of an update at once; the others ignore it. */
const [begin, end] = [`${esc}?2026h`, `${esc}?2026l`];

type Place = Pick<Terminal, "write" | "isBehind" | "size" | "onExit">;

export function openScreen({ write, isBehind, size, onExit }: Place): Screen {
  let standing: readonly string[] | undefined;
  let isOpen = true;
  const close = () => {
    if (!isOpen) return;
    isOpen = false;
    forgetExit();
    write(leave);
  };
  const forgetExit = onExit(close);
  write(enter);
  return {
    draw: (lines) => {
      // A picture that nobody takes is not followed by others; the next one is made of what stands there then.
      if (!isOpen || isBehind()) return;
      const { columns } = size();
      const changed = lines.flatMap((line, at) => (standing?.[at] === line ? [] : [lineAt(line, at, columns)]));
      const gone = standing === undefined ? `${esc}2J` : goneBelow(lines.length, standing.length);
      standing = lines;
      if (changed.length > 0 || gone !== "") write(`${begin}${gone}${changed.join("")}${end}`);
    },
    forget: () => {
      standing = undefined;
    },
    close,
  };
}

/** The rest of the line is cleared, but not where the line fills it: the cursor then still stands on its last cell. */
function lineAt(line: string, at: number, columns: number): string {
  const isFull = widthOf(stripVTControlCharacters(line)) >= columns;
  return `${esc}${at + 1};1H${line}${isFull ? "" : `${esc}K`}`;
}

function goneBelow(now: number, before: number): string {
  return before > now ? `${esc}${now + 1};1H${esc}J` : "";
}
