import fs from "node:fs";
import type { Redactor } from "../base/redact.ts";
import type { HeldProcess } from "./held-process.ts";
import type { LineSplitter } from "./lines.ts";
import { processLimits } from "./limits.ts";

/** The output of a child while it is collected. */
export interface Output {
  /** Resolves when no process can write any more. */
  readonly drained: Promise<void>;
  /** The number of bytes received, which shows whether there was output since the last reading. */
  readonly receivedBytes: () => number;
  /** Writes what was held back, passes on the last line, and closes; what is written later is lost. */
  readonly finish: () => ReturnType<OutputLog["finish"]>;
}

export interface OutputSinks {
  readonly log: OutputLog;
  /** Gets standard output alone, unchanged. */
  readonly lines?: LineSplitter | undefined;
  /** Removes secrets before anything is written to the log. */
  readonly redact?: Redactor | undefined;
}

/** Sends a child's output where it belongs, from its first byte on. */
export function collectOutput(
  { output, errors }: Pick<HeldProcess, "output" | "errors">,
  { log, lines, redact }: OutputSinks,
): Output {
  let received = 0;
  const pipes = (errors === null ? [output] : [output, errors]).map((pipe) => {
    const shown = redact?.stream();
    pipe.listen((chunk) => {
      received += chunk.length;
      log.write(shown === undefined ? chunk : shown.write(chunk));
      if (pipe === output) lines?.write(chunk);
    });
    return { pipe, shown };
  });
  return {
    drained: Promise.all(pipes.map(({ pipe }) => pipe.ended)).then(() => undefined),
    receivedBytes: () => received,
    finish: () => {
      for (const { pipe, shown } of pipes) {
        pipe.close();
        if (shown !== undefined) log.write(shown.end());
      }
      lines?.end();
      return log.finish();
    },
  };
}

/** Where a session's output goes: a file of bounded size with the middle left out. */
export interface OutputLog {
  readonly write: (chunk: Buffer) => void;
  /** Puts the tail in order, closes the file, and returns what a reader needs to know. */
  readonly finish: () => { readonly tail: string; readonly droppedBytes: number };
}

/** Keeps the first half of `bytesMax` as written and the last half as a ring in the same file: a flood costs no memory, and after a crash both halves are on disk. */
export function openOutputLog(file: string, bytesMax: number): OutputLog {
  const fd = fs.openSync(file, fs.constants.O_RDWR | fs.constants.O_CREAT | fs.constants.O_TRUNC, 0o600);
  const headBytes = Math.floor(bytesMax / 2);
  const ringBytes = bytesMax - headBytes;
  let received = 0;
  let failed = false;
  const last = keepLast(processLimits.checkOutputTailBytesMax);
  return {
    write: (chunk) => {
      last.write(chunk);
      failed ||= !succeeds(() => {
        for (const part of place({ chunk, at: received, headBytes, ringBytes }))
          writeAll(fd, part.bytes, part.position);
      });
      received += chunk.length;
    },
    finish: () => {
      const droppedBytes = Math.max(0, received - bytesMax);
      failed ||= !succeeds(() => straighten({ fd, received, headBytes, ringBytes }));
      const closed = succeeds(() => fs.closeSync(fd));
      failed ||= !closed;
      return { tail: last.text(), droppedBytes: failed ? received : droppedBytes };
    },
  };
}

interface Paths {
  readonly headBytes: number;
  readonly ringBytes: number;
}

/** Returns where the bytes of one chunk belong; only its last `ringBytes` can survive beyond the head. */
function place({ chunk, at, headBytes, ringBytes }: Paths & { chunk: Buffer; at: number }) {
  const intoHead = Math.max(0, Math.min(chunk.length, headBytes - at));
  const parts = intoHead > 0 ? [{ bytes: chunk.subarray(0, intoHead), position: at }] : [];
  let from = Math.max(intoHead, chunk.length - ringBytes);
  while (from < chunk.length) {
    const offset = (at + from - headBytes) % ringBytes;
    const length = Math.min(chunk.length - from, ringBytes - offset);
    parts.push({ bytes: chunk.subarray(from, from + length), position: headBytes + offset });
    from += length;
  }
  return parts;
}

function straighten({ fd, received, headBytes, ringBytes }: Paths & { fd: number; received: number }): void {
  const dropped = received - headBytes - ringBytes;
  if (dropped <= 0) return;
  const oldest = (received - headBytes) % ringBytes;
  const ring = Buffer.alloc(ringBytes);
  fs.readSync(fd, ring, 0, ringBytes, headBytes);
  const notice = Buffer.from(`\n[stint: ${dropped} bytes of output dropped here]\n`);
  let position = headBytes;
  for (const part of [notice, ring.subarray(oldest), ring.subarray(0, oldest)]) {
    writeAll(fd, part, position);
    position += part.length;
  }
}

/** Writes all bytes; a full disk shows as a short count before it shows as an error. */
function writeAll(fd: number, bytes: Buffer, position: number): void {
  let done = 0;
  while (done < bytes.length) {
    const written = fs.writeSync(fd, bytes, done, bytes.length - done, position + done);
    if (written === 0) throw new Error("nothing more can be written");
    done += written;
  }
}

/** Whether an action succeeds: bytes that cannot be written to the log count as dropped, because that must not end the session. */
function succeeds(action: () => void): boolean {
  try {
    action();
    return true;
  } catch {
    return false;
  }
}

/** Keeps the last bytes in one buffer for all chunks: in a flood, a new one for each would fill the memory before it is collected. */
function keepLast(bytesMax: number) {
  const kept = Buffer.alloc(bytesMax);
  let length = 0;
  return {
    write: (chunk: Buffer): void => {
      const added = chunk.subarray(Math.max(0, chunk.length - bytesMax));
      const staying = Math.min(length, bytesMax - added.length);
      kept.copyWithin(0, length - staying, length);
      added.copy(kept, staying);
      length = staying + added.length;
    },
    text: (): string => kept.toString("utf8", 0, length),
  };
}
