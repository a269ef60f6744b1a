import { execFile, spawnSync } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Rig } from "./rig.ts";

/** Why no pseudo-terminal can be had here; undefined where one can. */
export const whyNoTmux = spawnSync("tmux", ["-V"]).status === 0 ? undefined : "tmux is not installed";

/** A pseudo-terminal with a command line in it. */
export interface Pane extends AsyncDisposable {
  /** What stands there, line by line. */
  readonly text: () => Promise<string>;
  /** The same with the codes of its colours. */
  readonly painted: () => Promise<string>;
  /** Looks again and again until it stands there; returns the whole picture. */
  readonly until: (wanted: string | RegExp, secondsMax?: number) => Promise<string>;
  /** Names of keys as tmux has them, or text. */
  readonly press: (...keys: readonly string[]) => Promise<void>;
  readonly resize: (columns: number, rows: number) => Promise<void>;
  /** Lets nobody read the terminal, and fills it by changing its size; returns how to read it again. */
  readonly freeze: () => Promise<() => void>;
  /** Whether the alternate screen is on, and whether the cursor is seen. */
  readonly modes: () => Promise<{ readonly alternate: boolean; readonly cursor: boolean }>;
}

export interface PaneOptions {
  readonly columns?: number;
  readonly rows?: number;
  readonly env?: Readonly<Record<string, string>>;
  /** After the command line, as in a shell. */
  readonly redirect?: string;
}

const cliFile = process.env["STINT_CLI"] ?? join(import.meta.dirname, "..", "..", "dist", "cli.js");
const run = promisify(execFile);
let count = 0;

/** The words that start the CLI in a shell. */
export const stintWords = `'${process.execPath}' '${cliFile}'`;

/** Types a command line of Stint into a terminal of its own; its exit code and the terminal's mode stand below it in the end. */
export async function openPane(rig: Rig, args: string, options: PaneOptions = {}): Promise<Pane> {
  const told = `printf 'EXIT=%s ' $?; stty -a | grep -o -- '-\\{0,1\\}icanon'; exec cat`;
  return await openShell(rig, ["sh", "-c", `${stintWords} ${args} ${options.redirect ?? ""}; ${told}`], options);
}

/** Any program in a terminal of its own. */
export async function openShell(rig: Rig, words: readonly string[], options: PaneOptions = {}): Promise<Pane> {
  const { columns = 80, rows = 24, env = {} } = options;
  const socket = join(rig.root, `tmux-${(count += 1)}`);
  const { TERM: _, ...own } = rig.env;
  // The pane has the PATH of whoever calls tmux, whatever -e says.
  const { PATH = own["PATH"] } = env;
  const tmux = async (...args: readonly string[]) =>
    (await run("tmux", ["-S", socket, "-f", "/dev/null", ...args], { env: { ...own, PATH, TERM: "xterm" } })).stdout;
  const variables = Object.entries({ ...own, ...env }).flatMap(([name, value]) => ["-e", `${name}=${value}`]);
  const size = ["-x", String(columns), "-y", String(rows)];
  await tmux("new-session", "-d", ...size, "-c", rig.repo, ...variables, ...words);
  const text = async () => await tmux("capture-pane", "-p");
  const modes = async () => {
    const [alternate, cursor] = (await tmux("display-message", "-p", "#{alternate_on} #{cursor_flag}"))
      .trim()
      .split(" ");
    return { alternate: alternate === "1", cursor: cursor === "1" };
  };
  return {
    text,
    painted: async () => await tmux("capture-pane", "-p", "-e"),
    until: async (wanted, secondsMax = 90) => await untilShown(text, wanted, secondsMax),
    press: async (...keys) => void (await tmux("send-keys", ...keys)),
    resize: async (x, y) => void (await tmux("resize-window", "-x", String(x), "-y", String(y))),
    freeze: async () => {
      const [pid = "", tty = ""] = (await tmux("display-message", "-p", "#{pid} #{pane_tty}")).trim().split(" ");
      process.kill(Number(pid), "SIGSTOP");
      for (let count = 0; count < redrawsMax; count += 1)
        spawnSync("stty", ["-F", tty, "rows", String(23 + (count % 2))]);
      return () => void process.kill(Number(pid), "SIGCONT");
    },
    modes,
    [Symbol.asyncDispose]: async () => void (await tmux("kill-server").catch(() => undefined)),
  };
}

/** Together far more than a terminal holds that nobody reads. */
const redrawsMax = 400;

async function untilShown(text: () => Promise<string>, wanted: string | RegExp, secondsMax: number): Promise<string> {
  const deadline = AbortSignal.timeout(secondsMax * 1000);
  for (;;) {
    const shown = await text();
    if (typeof wanted === "string" ? shown.includes(wanted) : wanted.test(shown)) return shown;
    if (deadline.aborted) throw new Error(`${String(wanted)} does not stand there:\n${shown}`);
  }
}
