import { exitCodes } from "../../engine/exit-code.ts";
import { refuse, type Io } from "../io.ts";
import { messageOf } from "../../base/result.ts";

/** Several plans or runs, one after the other. */
export interface Row {
  /** The names of the plans or runs, as the summary shows them. */
  readonly names: readonly string[];
  readonly drive: (name: string) => Promise<number>;
  /** Says nothing of its own. */
  readonly quiet: boolean;
}

/**
 * Drives them in order and says at the end how each one stands. One that waits for a person, is red or cannot continue does
 * not stop the next; a limit, a cap and an interrupt do. The first code that is not 0 is the exit code of all.
 */
export async function inARow(io: Io, { names, drive, quiet }: Row): Promise<number> {
  const ended: number[] = [];
  for (const name of names) {
    const code = await drive(name).catch((failure: unknown) =>
      io.signal.aborted ? exitCodes.interrupted : refuse(io, exitCodes.internal, messageOf(failure)),
    );
    ended.push(code);
    if (!continuesAfter(code)) break;
  }
  if (!quiet) {
    io.out("");
    for (const [at, name] of names.entries()) io.out(`${name}: ${wordsFor(ended[at])}`);
  }
  return ended.find((code) => code !== exitCodes.done) ?? exitCodes.done;
}

/** A night of plans must not end because one of them is run elsewhere or met a bug. */
function continuesAfter(code: number): boolean {
  return code !== exitCodes.budget && code !== exitCodes.limit && code !== exitCodes.interrupted;
}

function wordsFor(code: number | undefined): string {
  return code === undefined ? "not started" : `${words[code] ?? "ended"} (exit code ${code})`;
}

const words: Readonly<Record<number, string>> = {
  [exitCodes.done]: "done",
  [exitCodes.internal]: "failed",
  [exitCodes.usage]: "refused",
  [exitCodes.person]: "waits for a person",
  [exitCodes.red]: "checks are red or broken",
  [exitCodes.budget]: "budget reached",
  [exitCodes.limit]: "usage limit",
  [exitCodes.interrupted]: "interrupted",
};
