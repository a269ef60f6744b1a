import { baseLimits } from "../base/limits.ts";
import { processLimits } from "./limits.ts";
import type { Redactor } from "../base/redact.ts";
import { ok, type Result } from "../base/result.ts";
import type { ProcessIdentity } from "../engine/session.ts";
import { type Bounds, defaultBounds, inUnits } from "./bounds.ts";
import { after, settlesWithin } from "./deadline.ts";
import { awaitEnding, type End, type Ending } from "./ending.ts";
import { type HeldProcess, startHeld } from "./held-process.ts";
import {
  endSession,
  endSessionNow,
  guardSession,
  realFolder,
  type SessionSigns,
  signalSession,
  watchFolderIdentity,
} from "./leftovers.ts";
import { type LineSplitter, splitLines } from "./lines.ts";
import { collectOutput, openOutputLog, type Output, type OutputLog } from "./output.ts";
import { followFamily, type ProcessFamily } from "./family.ts";
import { environmentFailure, type StartFailure, type StartFault } from "./start-failure.ts";
import { watchSession } from "./watch.ts";

export { endLeftovers } from "./leftovers.ts";

export interface SuperviseOptions {
  readonly argv: readonly string[];
  readonly cwd: string;
  /** The whole environment of the child; nothing else is inherited. */
  readonly env: Readonly<Record<string, string>>;
  readonly stdin?: string | undefined;
  /** Gets each line of standard output, and may answer on standard input if `conversation` is set. */
  readonly hear?: ((line: string) => Heard) | undefined;
  /** Called once the child runs, with functions to write to its standard input and to end it; replaces `stdin`. */
  readonly conversation?: ((say: (text: string) => void, hangUp: () => void) => void) | undefined;
  readonly logFile: string;
  readonly outputBytesMax: number;
  /** Removes secrets from the log and the tail; listeners get what the child wrote. */
  readonly redact?: Redactor | undefined;
  /** Limits that differ from the machine's defaults. */
  readonly bounds?: Partial<Bounds> | undefined;
  /** The folders in which what the child writes is counted; the first is on the disk that must not fill up. */
  readonly folders?: readonly string[] | undefined;
  readonly wallMsMax: number;
  /** A child without output and without noticeable processor time for this long counts as stuck. */
  readonly idleMsMax?: number | undefined;
  readonly signal: AbortSignal;
  /** Called with the process held before its first instruction; it is released when the promise resolves. */
  readonly started?: ((process: ProcessIdentity) => Promise<void>) | undefined;
  /** An exact entry of `env` by which processes that left the tree are found. */
  readonly marker?: string | undefined;
  /** A folder in which only this child works: processes that run there at the end are ended too, unless `confined`. */
  readonly cwdWithin?: string | undefined;
  readonly stopLadderStepMs?: number | undefined;
  /** How long the child may continue after it has reported its end. */
  readonly finalGraceMs?: number | undefined;
  /** Whether the leader is a sandbox, which must not get a stop signal: everything inside would be killed at once. */
  readonly confined?: boolean | undefined;
}

/** A listener answers "final" to a line that reports the child's end: the child then has a grace period to exit by itself. */
export type Heard = "more" | "final";

/** How a child ended, and what remains of it. */
export type Ended = EndKind & {
  /** The end of its output as text, with invalid UTF-8 replaced. */
  readonly tail: string;
  readonly droppedBytes: number;
  /** Processes that even KILL did not end; empty unless the kernel or a disk is broken. */
  readonly survivors: readonly ProcessIdentity[];
};

export type EndKind = End | { readonly kind: "spawn-failed"; readonly fault: StartFault; readonly message: string };

/** Runs one command to its end, whatever it does, and leaves none of its processes behind. */
export async function supervise(options: SuperviseOptions): Promise<Ended> {
  if (options.signal.aborted) return nothingRan({ kind: "aborted" });
  // Everything confined ends with its sandbox: another process in the folder belongs to a person who looks at the work.
  const within = options.confined === true ? undefined : options.cwdWithin;
  const cwdWithin = within === undefined ? undefined : realFolder(within);
  const isFolderOurs = cwdWithin === undefined ? undefined : watchFolderIdentity(cwdWithin);
  const opened = openLog(options);
  if (!opened.ok) return notStarted(opened.failure, options);
  const log = opened.value;
  const { argv, cwd, env, stdin, conversation, hear, redact } = options;
  const input = conversation === undefined ? stdin : ({ kind: "conversation" } as const);
  const held = await startHeld({ argv, cwd, env, stdin: input, errorsApart: hear !== undefined });
  if (!held.ok) {
    log.finish();
    return notStarted(held.failure, options);
  }
  const child = held.value;
  const family = followFamily(child.identity);
  const signs = { family, marker: options.marker, cwdWithin, isFolderOurs };
  const forget = guardSession(child.identity.pid, () => endSessionNow(signs));
  const ending = awaitEnding();
  const output = collectOutput(child, { log, lines: listener(options, child, ending), redact });
  try {
    const end = await runToEnd({ child, signs, family, output, ending, options });
    const survivors = await endSession(signs);
    // With its writers dead the pipe ends at once; one that escaped must not delay the finish.
    if (!(await settlesWithin(output.drained, baseLimits.outputDrainMs))) await pollPhase();
    const kept = output.finish();
    ending.rethrow();
    return { ...end, ...kept, survivors };
  } catch (error) {
    await endSession(signs);
    output.finish();
    throw error;
  } finally {
    forget();
    child.input?.destroy();
  }
}

interface Running {
  readonly child: HeldProcess;
  readonly signs: SessionSigns;
  readonly family: ProcessFamily;
  readonly output: Output;
  readonly ending: Ending;
  readonly options: SuperviseOptions;
}

function nothingRan(end: EndKind): Ended {
  return { ...end, tail: "", droppedBytes: 0, survivors: [] };
}

/** Describes a child that was not started; a failure while Stint is being stopped says nothing about the machine. */
function notStarted({ reason, message }: StartFailure, { signal }: SuperviseOptions): Ended {
  return nothingRan(signal.aborted ? { kind: "aborted" } : { kind: "spawn-failed", fault: reason, message });
}

function openLog({ logFile, outputBytesMax }: SuperviseOptions): Result<OutputLog, StartFailure> {
  try {
    return ok(openOutputLog(logFile, outputBytesMax));
  } catch (error) {
    return { ok: false, failure: environmentFailure("The log cannot be written", error) };
  }
}

/** Splits output into lines for the listener. One that throws has a bug, which fails the session instead of ending Stint from within an event. */
function listener(options: SuperviseOptions, child: HeldProcess, ending: Ending): LineSplitter | undefined {
  const { hear, finalGraceMs = processLimits.finalGraceMs } = options;
  if (hear === undefined) return undefined;
  return splitLines(processLimits.agentLineBytesMax, (line) => {
    try {
      if (hear(line) !== "final") return;
      ending.lastWord(finalGraceMs);
      // For a child that reads its input, the end of the conversation is the signal to exit.
      child.input?.end();
    } catch (error) {
      ending.fail(error as Error);
    }
  });
}

async function runToEnd(running: Running): Promise<End> {
  const { child, ending, options } = running;
  try {
    await options.started?.(child.identity);
  } catch (error) {
    child.discard();
    throw error;
  }
  if (options.signal.aborted) {
    child.discard();
    return { kind: "aborted" };
  }
  child.release();
  options.conversation?.(
    (text) => say(running, text),
    () => void child.input?.end(),
  );
  watchForEnd(running);
  const end = await ending.end;
  if (end.kind !== "exited" && end.kind !== "signalled") await climbStopLadder(running);
  return end;
}

/** Writes to the child. Input to a dead one is lost; input that a child does not read must not pile up. */
function say({ child: { input }, ending }: Running, text: string): void {
  if (input === null) throw new Error("Internal error: expected a conversation, but standard input is no pipe");
  if (input.writableLength <= processLimits.unreadInputBytesMax) input.write(text);
  else
    ending.decide({
      kind: "exceeded",
      what: `more than ${inUnits(processLimits.unreadInputBytesMax)} of unread input`,
    });
}

function watchForEnd({ child, family, output, ending, options }: Running): void {
  const { signal, wallMsMax, idleMsMax = Infinity, folders = [] } = options;
  const abort = (): void => ending.decide({ kind: "aborted" });
  signal.addEventListener("abort", abort);
  ending.whenOver(() => signal.removeEventListener("abort", abort));
  ending.whenOver(after(wallMsMax, () => ending.decide({ kind: "timeout" })));
  const bounds = { ...defaultBounds(), ...options.bounds };
  const { receivedBytes } = output;
  ending.whenOver(watchSession({ family, receivedBytes, idleMsMax, bounds, folders }, ending.decide));
  void child.exited.then(ending.decide);
}

/** Sends INT and TERM first, so that an agent can save its session; KILL follows in `endSession`. */
async function climbStopLadder({ child, signs, options }: Running): Promise<void> {
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    signalSession(signs, signal, { sparingLeader: options.confined === true });
    if (await settlesWithin(child.exited, options.stopLadderStepMs ?? processLimits.stopLadderStepMs)) return;
  }
}

/** Lets output that has already arrived be read before a timer takes effect. */
async function pollPhase(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(() => setImmediate(resolve));
  });
}
