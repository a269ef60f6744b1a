import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { join } from "node:path";
import { readSessionNote } from "../../agents/session-note.ts";
import { transcriptReader } from "../../agents/transcripts.ts";
import { processLimits } from "../../process/limits.ts";
import { splitLines } from "../../process/lines.ts";
import type { Look } from "../text-layout.ts";
import { transcriptRenderer } from "./render.ts";

/** Prints the output of one session, of which the kept file may still grow; as lines for people, or as it is. */
export interface SessionOutput {
  /** Prints what was added since the last time. */
  readonly readOn: () => void;
  /** Prints the rest: nothing is added any more. */
  readonly end: () => void;
}

/** How the output of sessions is printed. */
export interface OutputStyle {
  readonly print: (line: string) => void;
  /** Absent: lines are printed as the program wrote them. */
  readonly look?: Look | undefined;
  /** Begins this far before the end of each session, for a reader who only wants that. */
  readonly tailBytes?: number | undefined;
}

/** Puts a mark before each line; empty lines only make sense below a mark that cannot be seen. */
export function marked({ print, look, ...style }: OutputStyle, mark: string): OutputStyle {
  if (look === undefined) return { print, ...style };
  const isMargin = mark.trim() === "";
  return {
    ...style,
    look: { ...look, width: look.width - mark.length },
    print: (line) => {
      if (line !== "") print(mark + line);
      else if (isMargin) print("");
    },
  };
}

/** Opens the output of a session that has started. It is read in pieces: memory does not depend on its length. */
export function openSessionOutput(dir: string, style: OutputStyle): SessionOutput {
  const { print, look, tailBytes = Number.POSITIVE_INFINITY } = style;
  const file = join(dir, "output.log");
  const piece = Buffer.alloc(pieceBytes);
  let [offset, isPaused] = [0, false];
  let lines: ReturnType<typeof lineSink> | undefined;
  const aside = (text: string) => look !== undefined && print(look.paint.dim(`… ${text}`));
  const begin = (size: number) => {
    if (size > tailBytes) offset = size - tailBytes;
    if (offset > 0) aside("earlier output is left out");
    return lineSink(dir, style, offset > 0);
  };
  const readTo = (bytesMax: number) => {
    withFile(file, (fd) => {
      lines ??= begin(fstatSync(fd).size);
      for (let count = -1; count !== 0 && offset < bytesMax; offset += count) {
        count = readSync(fd, piece, 0, Math.min(piece.length, bytesMax - offset), offset);
        lines.write(piece.subarray(0, count));
      }
    });
  };
  return {
    readOn: () => {
      readTo(asWrittenBytes);
      if (isPaused || offset < asWrittenBytes) return;
      isPaused = true;
      aside("much output: the rest follows when the session ends");
    },
    end: () => {
      readTo(Number.POSITIVE_INFINITY);
      lines?.end();
    },
  };
}

const pieceBytes = 65_536;

/** While a session runs, only the first half of a full log is as the agent wrote it; the other is a ring. */
const asWrittenBytes = Math.floor(processLimits.agentOutputBytesMax / 2);

/** Prints each whole line; the first one of a cut output is not whole. */
function lineSink(dir: string, { print, look }: OutputStyle, isCut: boolean) {
  let isPartial = isCut;
  const note = readSessionNote(dir);
  const read = transcriptReader(note?.driver ?? null);
  const renderer = look === undefined ? undefined : transcriptRenderer(look, note?.workspace ?? "");
  const splitter = splitLines(processLimits.agentLineBytesMax, (line) => {
    if (isPartial) isPartial = false;
    else if (renderer === undefined) print(line);
    else for (const entry of read(line)) renderer.add(entry).forEach(print);
  });
  return {
    write: splitter.write,
    end: () => {
      splitter.end();
      renderer?.end().forEach(print);
    },
  };
}

/** A session that printed nothing yet may have no file; what an agent put in its place is not read. */
function withFile(file: string, use: (fd: number) => void): void {
  let fd: number | undefined;
  try {
    fd = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  } catch {
    return;
  }
  try {
    if (fstatSync(fd).isFile()) use(fd);
  } finally {
    closeSync(fd);
  }
}
