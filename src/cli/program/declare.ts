import { type Command, InvalidArgumentError } from "commander";
import type { Io } from "../io.ts";

/** Ends the program with the exit code of a command. */
export type Go = (command: Promise<number>) => Promise<void>;

/** Declares one command of the program. */
export type Declare = (program: Command, io: Io, go: Go) => void;

/** The sections below the options in the help of every command. */
interface More {
  /** What each exit code means. */
  readonly codes: Readonly<Record<number, string>>;
  /** Command lines as a person would type them, each with its purpose. */
  readonly examples: Readonly<Record<string, string>>;
}

/** Writes the sections "Exit codes" and "Examples", for `addHelpText("after", more({ … }))`; lines are kept within 80 columns by hand. */
export function more({ codes, examples }: More): string {
  return ["", "Exit codes:", ...inColumns(codes), "", "Examples:", ...inColumns(examples)].join("\n");
}

/** The exit codes that nearly every command has besides its own. */
export const trouble = {
  1: "not a git repository, or a system error; the message says how to fix it",
  2: "bad usage",
} as const;

/** The exit codes of a command that drives a run. */
export const runCodes = {
  0: "done: every task verified and integrated",
  1: "internal or system error, or another process is running this plan",
  2: "bad usage, or errors in the plan or settings",
  3: "needs you: blocked task, question, approval, nothing to prove, login",
  4: "all tasks integrated, but a final check fails; or a check cannot run",
  5: "budget reached",
  75: "usage limit reached, and not waiting for the reset",
  130: "interrupted; `stint resume` picks it up",
} as const;

/** The exit codes of a command that is sent to a run. */
export const sentCodes = {
  0: "accepted",
  1: "the run did not respond within 10 s, and the command was withdrawn;\nor not a git repository",
  2: "not possible in the run's current state; says why; or bad usage",
} as const;

/** Collects the values of an option that may be given several times. */
export function collect(value: string, earlier: readonly string[] = []): readonly string[] {
  return [...earlier, value];
}

/** Parses a whole number from 1 to `most`. */
export function wholeNumberTo(most: number): (text: string) => number {
  return (text) => {
    const value = /^[1-9]\d{0,8}$/.test(text) ? Number(text) : 0;
    if (value < 1 || value > most) throw new InvalidArgumentError(`It must be a whole number from 1 to ${most}.`);
    return value;
  };
}

/** Parses a number above 0; fractions are fine. */
export function positiveNumber(text: string): number {
  const value = Number(text);
  if (!Number.isFinite(value) || value <= 0) throw new InvalidArgumentError("It must be a number above 0.");
  return value;
}

/** Aligns the further lines of a text with its first. */
function inColumns(rows: Readonly<Record<string, string>>): string[] {
  const width = Math.max(...Object.keys(rows).map((name) => name.length));
  return Object.entries(rows).map(
    ([name, text]) => `  ${name.padEnd(width)}  ${text.replaceAll("\n", `\n${" ".repeat(width + 4)}`)}`,
  );
}
