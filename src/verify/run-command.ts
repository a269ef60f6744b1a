import { randomUUID } from "node:crypto";
import { type Ended, supervise } from "../agents/supervise.ts";
import { limits } from "../limits.ts";
import type { Redactor } from "../redact.ts";
import type { ProcessIdentity } from "../agents/agent.ts";

export interface RunCommandOptions {
  /** A command line for `sh -c`. */
  readonly command: string;
  readonly cwd: string;
  /** The room's folder, in which nobody else works; `cwd` unless told. Whoever stands there at the end is ended. */
  readonly within?: string | undefined;
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly logFile: string;
  readonly redact?: Redactor | undefined;
  readonly signal: AbortSignal;
  readonly started?: ((process: ProcessIdentity) => Promise<void>) | undefined;
}

/**
 * Runs a command line in a room and ends every process it leaves behind, known by an entry no other room has or by
 * standing in the room. Throws where the machine cannot start a process, because that says nothing about the command.
 */
export async function runCommand(options: RunCommandOptions): Promise<Ended> {
  const { command, within, timeoutMs, env, ...rest } = options;
  const id = randomUUID();
  const ended = await supervise({
    ...rest,
    argv: ["/bin/sh", "-c", command],
    // Named neutrally: code under test is not to learn from its environment that Stint is looking.
    env: { ...env, ROOM_ID: id },
    marker: `ROOM_ID=${id}`,
    cwdWithin: within ?? options.cwd,
    folders: [within ?? options.cwd],
    outputBytesMax: limits.agentOutputBytesMax,
    wallMsMax: timeoutMs,
  });
  if (ended.kind === "spawn-failed" && ended.fault !== "command")
    throw new Error(`A command in a room cannot be started: ${ended.message} Then run Stint again.`);
  return ended;
}
