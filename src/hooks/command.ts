import { randomUUID } from "node:crypto";
import { type Ended, supervise } from "../process/supervise.ts";
import { hooksLimits } from "./limits.ts";
import { shortened } from "../base/visible.ts";
import type { Redactor } from "../base/redact.ts";
import { absoluteSearchPath } from "../base/search-path.ts";
import type { Message } from "./message.ts";
import type { Outcome } from "./queue.ts";

/** How a hook's program is run. */
export interface CommandOptions {
  readonly command: readonly string[];
  /** The root of the user's checkout. */
  readonly root: string;
  /** The user's own environment. */
  readonly env: NodeJS.ProcessEnv;
  readonly run: string;
  readonly plan: string;
  /** An entry in its environment by which a later driver finds what this one left running. */
  readonly marker: readonly [name: string, value: string];
  /** Keeps what it printed the last time. */
  readonly logFile: string;
  readonly redact: Redactor;
  readonly msMax: number;
}

const callName = "STINT_HOOK_CALL";

/** Runs the user's program with one message on its standard input, as the user, and ends what it leaves behind. */
export async function runProgram(options: CommandOptions, message: Message, signal: AbortSignal): Promise<Outcome> {
  const { command, root, env, run, plan, marker, logFile, redact, msMax } = options;
  const [name, value] = marker;
  // One of its own: a driver that hung and wakes up must not end what the next driver started for the same hook.
  const call = randomUUID();
  const ended = await supervise({
    argv: command,
    cwd: root,
    env: {
      ...withoutUndefined(env),
      // A relative entry would find a program that an agent's work put into the checkout.
      PATH: absoluteSearchPath(env["PATH"]),
      STINT_RUN: run,
      STINT_PLAN: plan,
      STINT_EVENT: message.id,
      STINT_HOOK: message.name,
      [name]: value,
      [callName]: call,
    },
    stdin: `${message.body}\n`,
    logFile,
    outputBytesMax: hooksLimits.hookOutputBytesMax,
    redact,
    wallMsMax: msMax,
    signal,
    marker: `${callName}=${call}`,
    stopLadderStepMs: hooksLimits.hookStopStepMs,
  });
  if (ended.kind === "aborted") return { kind: "aborted" };
  const why = whyFailed(ended, msMax);
  return why === undefined ? { kind: "delivered" } : { kind: "failed", why, again: false };
}

function withoutUndefined(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined));
}

function whyFailed(ended: Ended, msMax: number): string | undefined {
  const last = ended.tail.trim().split("\n").at(-1) ?? "";
  const said = last === "" ? "" : `: ${shortened(last, hooksLimits.hookWhyCharsMax)}`;
  if (ended.kind === "exited") return ended.code === 0 ? undefined : `exited with ${ended.code}${said}`;
  if (ended.kind === "signalled") return `was killed by ${ended.signal}${said}`;
  if (ended.kind === "spawn-failed") return `cannot be started: ${ended.message.replace(/\.$/, "")}`;
  if (ended.kind === "exceeded") return `used ${ended.what} and was killed`;
  return `did not finish within ${msMax / 1000} s and was killed${said}`;
}
