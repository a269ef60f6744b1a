import type { Io } from "../../src/cli/io.ts";
import { plain } from "../../src/cli/paint.ts";

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
