import type { Io } from "../../src/cli/io.ts";
import { plain } from "../../src/cli/paint.ts";
import type { Terminal } from "../../src/cli/terminal.ts";

/** The world of a command without a terminal, and the lines that it prints. */
export function recordedIo(): { readonly io: Io; readonly out: string[]; readonly err: string[] } {
  const [out, err]: [string[], string[]] = [[], []];
  const io: Io = {
    cwd: "/",
    env: {},
    out: (line) => void out.push(line),
    err: (line) => void err.push(line),
    interactive: false,
    paint: plain,
    signal: new AbortController().signal,
  };
  return { io, out, err };
}

/** A terminal of which only the bottom line matters, and all that was written to it, without the code that wipes a line. */
export function bottomLine(columns = 80): { readonly terminal: Terminal; readonly written: string[] } {
  const written: string[] = [];
  const terminal = {
    write: (text: string) => void written.push(text.replace("\r\u{1b}[2K", "")),
    flush: () => undefined,
    size: () => ({ columns, rows: 10 }),
  } as unknown as Terminal;
  return { terminal, written };
}
