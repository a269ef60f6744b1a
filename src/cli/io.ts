import type { Refusal } from "../project/refusals.ts";
import { tmpdir } from "node:os";
import { createInterface } from "node:readline/promises";
import { setTimeout } from "node:timers/promises";
import { diskFault } from "../base/disk-fault.ts";
import { exitCodes } from "../engine/exit-code.ts";
import { stintHome } from "../project/paths.ts";
import { visible } from "../base/visible.ts";
import { paintFor, type Paint } from "./paint.ts";
import { processTerminal, type Terminal } from "./terminal.ts";
import { cliLimits } from "./limits.ts";
import { fitted } from "./text-layout.ts";

/** What one command sees of the world; only the CLI has this. */
export interface Io {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly out: (line: string) => void;
  readonly err: (line: string) => void;
  /** True where a person can be asked. */
  readonly interactive: boolean;
  /** Paints what goes to `out`. */
  readonly paint: Paint;
  /** The width of the terminal that `out` goes to; absent without a terminal. */
  readonly columns?: number | undefined;
  /** The terminal of a person who is watching; absent if `out` is not a terminal. */
  readonly terminal?: Terminal | undefined;
  /** Aborts on the first interrupt; a second one ends the process. */
  readonly signal: AbortSignal;
}

export function processIo(cwd: string, signal: AbortSignal): Io {
  return {
    cwd,
    env: process.env,
    out: (line) => void process.stdout.write(`${line}\n`),
    err: (text) => {
      const lines = text.split("\n").flatMap((line) => fitted(line, process.stderr.columns));
      process.stderr.write(`${lines.join("\n")}\n`);
    },
    interactive: process.stdin.isTTY && process.stderr.isTTY,
    paint: paintFor(process.stdout, { env: process.env, argv: process.argv.slice(2) }),
    columns: process.stdout.columns,
    terminal: processTerminal(process.env),
    signal,
  };
}

/** Prints a line for people, which is broken between words where it is too long for the terminal. */
export function printLine({ out, columns }: Pick<Io, "out" | "columns">, line: string, indent?: number): void {
  fitted(line, columns, indent).forEach((part) => out(part));
}

/** Prints many lines for people. A write for each would be slow, and of one for all a pipe takes a part, so that `err` may print in the middle of a line. */
export function printLines({ out, columns }: Pick<Io, "out" | "columns">, lines: readonly string[]): void {
  let block = "";
  for (const line of lines.flatMap((each) => fitted(each, columns))) {
    if (block !== "" && block.length + line.length >= cliLimits.printedCharsMax) {
      out(block);
      block = line;
    } else block = block === "" ? line : `${block}\n${line}`;
  }
  if (block !== "") out(block);
}

/** Prints what went wrong, and how to fix it if the disk is full; returns the exit code for `return refuse(…)`. */
export function refuse(io: Io, code: number, message: string): number {
  io.err(`stint: ${visible(message, { multiline: true })}`);
  const fault = code === exitCodes.internal ? diskFault([io.cwd, stintHome(io.env), tmpdir()]) : undefined;
  const isSaid = message.includes("The disk of ");
  if (fault !== undefined && !isSaid)
    io.err(visible(`${fault}, then run the command again: nothing recorded is lost.`));
  return code;
}

/** Ends a command with the message and the exit code of a refusal. */
export function refuseWith(io: Io, { exitCode, message }: Refusal): number {
  return refuse(io, exitCode, message);
}

/** Prints a warning; the command continues. */
export function warn(io: Io, message: string): void {
  io.err(`stint: warning: ${visible(message, { multiline: true })}`);
}

/** Asks a yes-or-no question; anything but yes counts as no, and so does leaving. */
export async function confirm(question: string, signal: AbortSignal): Promise<boolean> {
  return /^y(es)?$/i.test((await typedLine(`${question} [y/N] `, signal)) ?? "");
}

/** Reads one typed line; undefined if the person leaves with Ctrl-D or Ctrl-C, which also aborts the signal. */
export async function typedLine(prompt: string, signal: AbortSignal): Promise<string | undefined> {
  const reader = createInterface({ input: process.stdin, output: process.stderr });
  // While a line is typed the terminal hands Ctrl-C over as a key.
  reader.on("SIGINT", () => void process.kill(process.pid, "SIGINT"));
  const left = new Promise<undefined>((resolve) => reader.once("close", () => resolve(undefined)));
  try {
    const line = await Promise.race([reader.question(prompt, { signal }).catch(() => undefined), left]);
    if (line === undefined) process.stderr.write("\n");
    return line?.trim();
  } finally {
    reader.close();
  }
}

/** Discards keys pressed before a question: an impatient Enter must not answer what the person has not read. */
export async function discardTyped(): Promise<void> {
  const { stdin } = process;
  const hear = (bytes: Buffer) => {
    if (bytes.includes(ctrlC)) process.kill(process.pid, "SIGINT");
  };
  stdin.setRawMode(true);
  stdin.on("data", hear);
  stdin.resume();
  await setTimeout(cliLimits.typedAheadMs);
  stdin.off("data", hear);
  stdin.pause();
  stdin.setRawMode(false);
}

const ctrlC = 3;
