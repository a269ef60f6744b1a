import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { UserEnvironment } from "../../process/environment.ts";
import { agentEnvironment } from "../../process/environment.ts";
import { supervise, type Ended } from "../../process/supervise.ts";
import { agentsLimits } from "../../agents/limits.ts";
import { unreachable } from "../../base/result.ts";
import type { Sandbox } from "../../sandbox/sandbox.ts";

/** The answer of a program, or why there is none. */
export type Answer =
  | { readonly kind: "answered"; readonly code: number; readonly output: string }
  | { readonly kind: "silent"; readonly why: string };

export interface Question {
  readonly argv: readonly string[];
  readonly userEnv: UserEnvironment;
  /** The user's variables that are let through. */
  readonly allow: readonly string[];
  readonly home: string;
  readonly sandbox: Sandbox;
  readonly answerMsMax: number;
  readonly signal: AbortSignal;
}

/** Runs a program in an empty folder, with the environment and the confinement that it has in a session. */
export async function ask(question: Question): Promise<Answer> {
  const { argv, userEnv, allow, home, sandbox, answerMsMax, signal } = question;
  const folder = mkdtempSync(join(tmpdir(), "stint-doctor-"));
  try {
    const [workspace, outbox, inbox] = ["tree", "outbox", "inbox"].map((name) => join(folder, name)) as Three;
    for (const dir of [workspace, outbox, inbox]) mkdirSync(dir, { mode: 0o700 });
    const enclosure = sandbox.enclose({ workspace, home, outbox, inbox, visible: argv.slice(0, 1), network: true });
    const stint = { role: "doctor", run: "doctor", attempt: 1, ...enclosure.folders };
    const env = agentEnvironment({ userEnv, allow, home: enclosure.folders.home, stint });
    const ended = await supervise({
      ...enclosure.enter({ argv, cwd: enclosure.folders.workspace, env }),
      logFile: join(folder, "output.log"),
      outputBytesMax: agentsLimits.outboxFileBytesMax,
      wallMsMax: answerMsMax,
      signal,
      marker: `STINT_OUTBOX=${enclosure.folders.outbox}`,
      cwdWithin: workspace,
      confined: enclosure.confined,
    });
    return toAnswer(ended, answerMsMax);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

type Three = [string, string, string];

function toAnswer(ended: Ended, answerMsMax: number): Answer {
  switch (ended.kind) {
    case "exited":
      return { kind: "answered", code: ended.code, output: ended.tail };
    case "signalled":
      return { kind: "silent", why: `killed by ${ended.signal}` };
    case "timeout":
      return { kind: "silent", why: `no answer within ${answerMsMax / 1000} s` };
    case "aborted":
      return { kind: "silent", why: "interrupted" };
    case "spawn-failed":
      return { kind: "silent", why: ended.message };
    case "exceeded":
      return { kind: "silent", why: `it used ${ended.what}` };
    case "idle":
    case "final":
      throw new Error(`Internal error: expected an end of its own or by time, but was ${ended.kind}`);
    default:
      return unreachable(ended);
  }
}
