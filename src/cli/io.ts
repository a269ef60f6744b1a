import { tmpdir } from "node:os";
import { diskFault } from "../base/disk-fault.ts";
import { exitCodes } from "../engine/exit-code.ts";
import { stintHome } from "../project/paths.ts";
import { visible } from "../base/visible.ts";
import { paintFor, type Paint } from "./paint.ts";
import { processTerminal, type Terminal } from "./terminal.ts";
import { typedLine } from "./typed-line.ts";

/** The world of one command; only the CLI has one. */
export interface Io {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly out: (line: string) => void;
  readonly err: (line: string) => void;
  /** True where a person can be asked. */
  readonly interactive: boolean;
  /** For what goes to `out`. */
  readonly paint: Paint;
  /** Of the terminal that `out` goes to; absent where there is none. */
  readonly columns?: number | undefined;
  /** Of a person who looks on; absent where `out` is no terminal. */
  readonly terminal?: Terminal | undefined;
  /** Aborts on the first interrupt; a second one ends the process. */
  readonly signal: AbortSignal;
}

/** The world of this process. */
export function processIo(cwd: string, signal: AbortSignal): Io {
  return {
    cwd,
    env: process.env,
    out: (line) => void process.stdout.write(`${line}\n`),
    err: (line) => void process.stderr.write(`${line}\n`),
    interactive: process.stdin.isTTY && process.stderr.isTTY,
    paint: paintFor(process.stdout, { env: process.env, argv: process.argv.slice(2) }),
    columns: process.stdout.columns,
    terminal: processTerminal(process.env),
    signal,
  };
}

/** Prints what went wrong, with the cure where it is a full disk, and returns the exit code for `return refuse(…)`. */
export function refuse(io: Io, code: number, message: string): number {
  io.err(`stint: ${visible(message, { multiline: true })}`);
  const fault = code === exitCodes.internal ? diskFault([io.cwd, stintHome(io.env), tmpdir()]) : undefined;
  const isSaid = message.includes("The disk of ");
  if (fault !== undefined && !isSaid)
    io.err(visible(`${fault}, then give the command again: nothing that was recorded is lost.`));
  return code;
}

/** Says what is not as it should be, and goes on. */
export function warn(io: Io, message: string): void {
  io.err(`stint: warning: ${visible(message, { multiline: true })}`);
}

/** Asks a yes-or-no question; anything but yes is no, also to leave. */
export async function confirm(question: string, signal: AbortSignal): Promise<boolean> {
  return /^y(es)?$/i.test((await typedLine(`${question} [y/N] `, signal)) ?? "");
}
