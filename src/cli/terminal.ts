import { closeSync, readFileSync, constants, openSync, writeSync } from "node:fs";
import { isatty } from "node:tty";

/** The size of a terminal, in cells. */
export interface Size {
  readonly columns: number;
  readonly rows: number;
}

/** Writes to a terminal and never waits for it: one that takes nothing, as over a frozen connection, must not hold up a run. */
interface TerminalOutput {
  readonly write: (text: string) => void;
  /** Tries to write what is left, and returns whether something still is. */
  readonly isBehind: () => boolean;
  /** Hands the terminal to the next writer, after waiting until everything left is written. */
  readonly flush: () => void;
}

/** The terminal of a person who is watching. Each `on…` returns a function that ends it. */
export interface Terminal extends TerminalOutput {
  readonly size: () => Size;
  /** Whether it draws more than ASCII. */
  readonly isUnicode: boolean;
  /** Gets the bytes of keys as they are pressed; undefined if standard input is not a terminal. */
  readonly onKeys: ((hear: (bytes: Buffer) => void) => () => void) | undefined;
  readonly onResize: (hear: () => void) => () => void;
  /** Called however the process ends, except by kill -9. */
  readonly onExit: (restore: () => void) => () => void;
  /** Called after this process was suspended: the terminal may have been used meanwhile. */
  readonly onContinue: (hear: () => void) => () => void;
  /** Does what the terminal does on Ctrl-C and Ctrl-Z where it hands them over as keys. */
  readonly interrupt: () => void;
  readonly suspend: () => void;
  /** Whether a person has left the view: the rest of this command is lines. */
  isLeft: boolean;
}

/** Returns the terminal of this process; undefined if there is none, if it cannot move its cursor, or if another job has it. */
export function processTerminal(env: NodeJS.ProcessEnv): Terminal | undefined {
  const { stdout, stdin } = process;
  if (!stdout.isTTY || ["", "dumb"].includes(env["TERM"] ?? "") || !isInForeground()) return undefined;
  return {
    ...patientOutput(stdout),
    // A terminal may not know its size; then it reports 0.
    size: () => ({ columns: stdout.columns || 80, rows: stdout.rows || 24 }),
    isUnicode: isUnicode(env),
    onKeys: stdin.isTTY ? onKeys : undefined,
    onResize: (hear) => {
      stdout.on("resize", hear);
      return () => void stdout.off("resize", hear);
    },
    onExit: (restore) => {
      process.on("exit", restore);
      return () => void process.off("exit", restore);
    },
    onContinue: (hear) => {
      process.on("SIGCONT", hear);
      return () => void process.off("SIGCONT", hear);
    },
    interrupt: () => void process.kill(process.pid, "SIGINT"),
    // The whole group, as the terminal does it: a shell waits for all of a job.
    suspend: () => void process.kill(0, "SIGTSTP"),
    isLeft: false,
  };
}

/** Whether the terminal draws more than ASCII, according to the locale in the environment. */
export function isUnicode(env: NodeJS.ProcessEnv): boolean {
  const locale = [env["LC_ALL"], env["LC_CTYPE"], env["LANG"]].find((value) => value !== undefined && value !== "");
  return /utf-?8/i.test(locale ?? "");
}

/** Closes terminals that are gone before Node ends: it would abort with a core dump where it cannot restore their mode. */
export function forgiveLostTerminals(): void {
  const terminals = [0, 1, 2].filter((fd) => isatty(fd));
  process.on("exit", () => {
    for (const fd of terminals) if (!isatty(fd)) closeSync(fd);
  });
}

/** A job in the background that sets the mode of its terminal is stopped by the system, and a run with it. */
function isInForeground(): boolean {
  try {
    const stat = readFileSync("/proc/self/stat", "latin1");
    // After the name: state, parent, group, session, terminal, and the group that has the terminal (-1: it is not ours).
    const [, , group, , , front] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return front === group || front === "-1";
  } catch {
    return true;
  }
}

/** Opens standard output a second time, because Node waits for a terminal in every write to it. */
function patientOutput(stdout: Pick<NodeJS.WriteStream, "write">): TerminalOutput {
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

function onKeys(hear: (bytes: Buffer) => void): () => void {
  const { stdin } = process;
  const restore = () => void stdin.setRawMode(false);
  process.on("exit", restore);
  stdin.setRawMode(true);
  stdin.on("data", hear);
  stdin.resume();
  return () => {
    process.off("exit", restore);
    stdin.off("data", hear);
    stdin.pause();
    restore();
  };
}
