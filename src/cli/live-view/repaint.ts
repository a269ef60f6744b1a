import { stripVTControlCharacters } from "node:util";
import type { Terminal } from "../terminal.ts";
import { widthOf } from "../width.ts";

/** The alternate screen of a terminal; nothing else writes codes that move the cursor. */
export interface Screen {
  /** Writes the lines that differ from those on the screen. */
  readonly draw: (lines: readonly string[]) => void;
  /** Forgets what is on the screen, so that everything is redrawn. */
  readonly forget: () => void;
  /** Gives the terminal back as it was, once. */
  readonly close: () => void;
}

const esc = "\u{1b}[";
/** Alternate screen, no cursor, lines that are too long are cut by the terminal, not wrapped, and a paste is marked as one. */
const [enter, leave] = [`${esc}?1049h${esc}?25l${esc}?7l${esc}?2004h`, `${esc}?2004l${esc}?7h${esc}?25h${esc}?1049l`];
/** Terminals that know it show all of an update at once; the others ignore it. */
const [begin, end] = [`${esc}?2026h`, `${esc}?2026l`];

type ScreenTerminal = Pick<Terminal, "write" | "isBehind" | "flush" | "size" | "onExit">;

/** Takes the terminal until it is closed or the process ends. */
export function openScreen({ write, isBehind, flush, size, onExit }: ScreenTerminal): Screen {
  let standing: readonly string[] | undefined;
  let isOpen = true;
  const giveBack = () => {
    isOpen = false;
    forgetExit();
    write(leave);
  };
  const forgetExit = onExit(giveBack);
  write(enter);
  return {
    draw: (lines) => {
      // A terminal that takes nothing gets the newest picture once it does again.
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
    close: () => {
      if (!isOpen) return;
      giveBack();
      flush();
    },
  };
}

/** The rest of the line is cleared, unless the line fills it: then the cursor is still on its last cell. */
function lineAt(line: string, at: number, columns: number): string {
  const isFull = widthOf(stripVTControlCharacters(line)) >= columns;
  return `${esc}${at + 1};1H${line}${isFull ? "" : `${esc}K`}`;
}

function goneBelow(now: number, before: number): string {
  return before > now ? `${esc}${now + 1};1H${esc}J` : "";
}
