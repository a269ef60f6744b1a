import { createInterface } from "node:readline/promises";
import { setTimeout } from "node:timers/promises";
import { cliLimits } from "./limits.ts";

/** What a person types as one line; undefined where they leave, by Ctrl-D or by Ctrl-C, which aborts the signal as well. */
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

/** Forgets keys pressed while nothing was asked: an impatient Enter must not answer what nobody has read. */
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
