/** In cells. */
export interface Size {
  readonly columns: number;
  readonly rows: number;
}

/** The terminal of a person who looks on. Each `on…` returns how to end it. */
export interface Terminal {
  readonly size: () => Size;
  /** Returns at once, also where nobody reads the terminal. */
  readonly write: (text: string) => void;
  /** Whether something written has not reached the terminal yet. */
  readonly isBehind: () => boolean;
  /** Bytes of keys as they are pressed; undefined where standard input is no terminal. */
  readonly onKeys: ((hear: (bytes: Buffer) => void) => () => void) | undefined;
  readonly onResize: (hear: () => void) => () => void;
  /** However the process ends, but for kill -9. */
  readonly onExit: (restore: () => void) => () => void;
  /** After somebody has stopped this process: the terminal may have been used meanwhile. */
  readonly onContinue: (hear: () => void) => () => void;
  /** Does what the terminal does on Ctrl-C and Ctrl-Z where it hands them over as keys. */
  readonly interrupt: () => void;
  readonly suspend: () => void;
  /** Whether a person has left the view: the rest of this command is lines. */
  isLeft: boolean;
}

/** The terminal of this process; undefined where there is none, or none that can move its cursor. */
export function processTerminal(env: NodeJS.ProcessEnv): Terminal | undefined {
  const { stdout, stdin } = process;
  if (!stdout.isTTY || (env["TERM"] ?? "dumb") === "dumb") return undefined;
  return {
    size: () => ({ columns: stdout.columns, rows: stdout.rows }),
    write: (text) => {
      unblock(stdout);
      stdout.write(text);
    },
    isBehind: () => stdout.writableLength > 0,
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

/**
 * Node waits for a terminal with every write, and with it the whole process: behind a connection that sleeps, a run
 * would stand still until somebody looks. What is written then waits in memory, so whoever writes asks `isBehind` first.
 */
function unblock(stream: NodeJS.WriteStream): void {
  const { _handle } = stream as { readonly _handle?: { readonly setBlocking?: (isBlocking: boolean) => unknown } };
  _handle?.setBlocking?.(false);
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
