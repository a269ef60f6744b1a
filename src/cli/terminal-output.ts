import { closeSync, constants, openSync, writeSync } from "node:fs";

/** Writes to a terminal and never waits for it: one that takes nothing, as over a frozen connection, must not hold up a run. */
export interface TerminalOutput {
  readonly write: (text: string) => void;
  /** Tries to write what is left, and returns whether something still is. */
  readonly isBehind: () => boolean;
  /** Hands the terminal to the next writer, after waiting until everything left is written. */
  readonly flush: () => void;
}

/** For standard output. Node waits for a terminal in every write to it, so this one opens it a second time. */
export function patientOutput(stdout: Pick<NodeJS.WriteStream, "write">): TerminalOutput {
  let fd: number | undefined;
  let left: Buffer = Buffer.alloc(0);
  const handOver = () => {
    if (left.length > 0) stdout.write(left);
    left = Buffer.alloc(0);
  };
  const push = () => {
    try {
      fd ??= openSync("/dev/fd/1", constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
      while (left.length > 0) left = left.subarray(writeSync(fd, left));
    } catch (error) {
      // If it cannot be opened, or is gone, write as to any output.
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") handOver();
    }
  };
  return {
    write: (text) => {
      left = Buffer.concat([left, Buffer.from(text)]);
      push();
    },
    isBehind: () => {
      push();
      return left.length > 0;
    },
    flush: () => {
      handOver();
      if (fd !== undefined) closeSync(fd);
      fd = undefined;
    },
  };
}
