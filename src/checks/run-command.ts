import { randomUUID } from "node:crypto";
import { beforeSession } from "../process/disk.ts";
import { type Ended, supervise } from "../process/supervise.ts";
import { diskFault } from "../base/disk-fault.ts";
import { processLimits } from "../process/limits.ts";
import type { Redactor } from "../base/redact.ts";
import type { ProcessIdentity } from "../engine/session.ts";
import type { Enclosure } from "../sandbox/sandbox.ts";
import type { CommandWatch } from "./running-command.ts";

export interface RunCommandOptions {
  /** A command line for `sh -c`. */
  readonly command: string;
  readonly enclosure: Enclosure;
  /** The folder as seen inside the enclosure. */
  readonly cwd: string;
  /** The room's folder on the host, which no other process uses. Without a sandbox, every process that is in it at the end is ended. */
  readonly within: string;
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly logFile: string;
  readonly redact?: Redactor | undefined;
  readonly signal: AbortSignal;
  readonly started?: ((process: ProcessIdentity) => Promise<void>) | undefined;
  readonly watch?: CommandWatch | undefined;
  /** What watchers know it as, if not by its command line. */
  readonly name?: string;
}

/**
 * Runs a command line in a room and ends every process it leaves behind, known by an entry no other room has or by
 * standing in the room. Throws where the machine cannot start a process or store what it writes, because that says nothing
 * about the command.
 */
export async function runCommand(options: RunCommandOptions): Promise<Ended> {
  const { command, enclosure, cwd, within, timeoutMs, env, watch, name = command, ...rest } = options;
  const id = randomUUID();
  // Named neutrally: code under test is not to learn from its environment that Stint is looking.
  const entry = { argv: ["/bin/sh", "-c", command], cwd, env: { ...env, ROOM_ID: id } };
  const disk = beforeSession([within]);
  const over = watch?.({ name, logFile: options.logFile });
  const ended = await supervise({
    ...rest,
    ...enclosure.enter(entry),
    marker: `ROOM_ID=${id}`,
    cwdWithin: within,
    folders: [within],
    confined: enclosure.confined,
    outputBytesMax: processLimits.agentOutputBytesMax,
    wallMsMax: timeoutMs,
  }).finally(over);
  if (ended.kind === "spawn-failed" && ended.fault !== "command")
    throw new Error(`A command cannot be started: ${ended.message} Then run Stint again.`);
  if (ended.kind === "exited" && !enclosure.entered())
    throw new Error(`The sandbox of a room cannot be started: ${ended.tail.trim()} See to that, then run Stint again.`);
  const fault = mayBlameDisk(ended) ? diskFault([within]) : undefined;
  if (fault !== undefined && !(await disk.hasFilledDisk()))
    throw new Error(
      `\`${command}\` failed where nothing can be written, which says nothing about it. ${fault}, then run Stint again.`,
    );
  return ended;
}

function mayBlameDisk(ended: Ended): boolean {
  return ended.kind === "exited" ? ended.code !== 0 : ended.kind === "signalled" || ended.kind === "timeout";
}
