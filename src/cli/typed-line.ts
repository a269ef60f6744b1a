import { createInterface } from "node:readline/promises";
import { setTimeout } from "node:timers/promises";
import { cliLimits } from "./limits.ts";

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
