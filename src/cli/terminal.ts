import { closeSync, readFileSync } from "node:fs";
import { isatty } from "node:tty";
import { patientOutput, type TerminalOutput } from "./terminal-output.ts";
import { isUnicode } from "./unicode.ts";

/** The size of a terminal, in cells. */
export interface Size {
  readonly columns: number;
  readonly rows: number;
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

/** The terminal of this process; undefined if there is none, if it cannot move its cursor, or if another job has it. */
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

/** Node aborts at its end, with a core dump, where it cannot set back the mode of a terminal that is gone; it leaves alone what is closed. */
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
