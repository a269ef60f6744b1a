import { randomUUID } from "node:crypto";
import { type Ended, supervise } from "../agents/supervise.ts";
import { limits } from "../limits.ts";
import type { ProcessIdentity } from "../agents/agent.ts";

export interface RunCommandOptions {
  /** A command line for `sh -c`. */
  readonly command: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly logFile: string;
  readonly signal: AbortSignal;
  readonly started?: ((process: ProcessIdentity) => Promise<void>) | undefined;
}

/** Runs a command line in a room and ends every process it leaves behind, known by an entry no other room has. */
export async function runCommand(options: RunCommandOptions): Promise<Ended> {
  const { command, timeoutMs, env, ...rest } = options;
  const id = randomUUID();
  return supervise({
    ...rest,
    argv: ["/bin/sh", "-c", command],
    // Named neutrally: code under test is not to learn from its environment that Stint is looking.
    env: { ...env, ROOM_ID: id },
    marker: `ROOM_ID=${id}`,
    outputBytesMax: limits.agentOutputBytesMax,
    wallMsMax: timeoutMs,
  });
}
