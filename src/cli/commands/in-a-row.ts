import { exitCodes } from "../../engine/exit-code.ts";
import type { Io } from "../io.ts";

/** Several plans or runs, one after the other. */
export interface Row {
  /** Each as it is named in the summary. */
  readonly names: readonly string[];
  readonly drive: (name: string) => Promise<number>;
  /** Says nothing of its own. */
  readonly quiet: boolean;
}

/**
 * Drives them in order and says at the end how each one stands. One that waits for a person or is red does not stop
 * the next; what would befall the next as well does. The first code that is not 0 is the exit code of all.
 */
export async function inARow(io: Io, { names, drive, quiet }: Row): Promise<number> {
  const ended: number[] = [];
  for (const name of names) {
    const code = await drive(name);
    ended.push(code);
    if (!goesOnAfter(code)) break;
  }
  if (!quiet) {
    io.out("");
    for (const [at, name] of names.entries()) io.out(`${name}: ${wordsFor(ended[at])}`);
  }
  return ended.find((code) => code !== exitCodes.done) ?? exitCodes.done;
}

function goesOnAfter(code: number): boolean {
  return code === exitCodes.done || code === exitCodes.person || code === exitCodes.red;
}

function wordsFor(code: number | undefined): string {
  return code === undefined ? "not begun" : `${words[code] ?? "ended"} (exit code ${code})`;
}

const words: Readonly<Record<number, string>> = {
  [exitCodes.done]: "done",
  [exitCodes.internal]: "could not go on",
  [exitCodes.usage]: "refused",
  [exitCodes.person]: "waits for a person",
  [exitCodes.red]: "checks are red or broken",
  [exitCodes.budget]: "budget reached",
  [exitCodes.limit]: "usage limit",
  [exitCodes.interrupted]: "interrupted",
};
