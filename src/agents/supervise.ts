import { limits } from "../limits.ts";
import { ok, type Result } from "../result.ts";
import type { ProcessIdentity } from "./agent.ts";
import { after, settlesWithin } from "./deadline.ts";
import { type Exit, type HeldProcess, startHeld } from "./held-process.ts";
import { endSession, endSessionNow, realFolder, type SessionSigns, signalSession } from "./leftovers.ts";
import { type LineSplitter, splitLines } from "./lines.ts";
import { guardSession } from "./live-sessions.ts";
import { openOutputLog, type OutputLog } from "./output-log.ts";
import { followFamily, type ProcessFamily } from "./process-family.ts";
import { environmentFailure, type StartFailure, type StartFault } from "./start-failure.ts";

export { endLeftovers } from "./leftovers.ts";

export interface SuperviseOptions {
  readonly argv: readonly string[];
  readonly cwd: string;
  /** The whole environment of the child; nothing else is inherited. */
  readonly env: Readonly<Record<string, string>>;
  readonly stdin?: string | undefined;
  /** Hears each line of standard output, and may answer on standard input where `conversation` is set. */
  readonly hear?: ((line: string) => Heard) | undefined;
  /** Called once the child runs, with how to write to its standard input and how to end it; takes the place of `stdin`. */
  readonly conversation?: ((say: (text: string) => void, hangUp: () => void) => void) | undefined;
  readonly logFile: string;
  readonly outputBytesMax: number;
  readonly wallMsMax: number;
  /** Without output and without processor time for so long, the child counts as stuck. */
  readonly idleMsMax?: number | undefined;
  readonly signal: AbortSignal;
  /** Called with the process held before its first instruction; it is released when the promise resolves. */
  readonly started?: ((process: ProcessIdentity) => Promise<void>) | undefined;
  /** An exact entry of `env` by which processes that left the tree are found. */
  readonly marker?: string | undefined;
  /** A folder in which only this child works: whoever stands there at the end is ended too. */
  readonly cwdWithin?: string | undefined;
  readonly stopLadderStepMs?: number | undefined;
  /** How long the child may go on after its last word. */
  readonly finalGraceMs?: number | undefined;
  /** Whether the leader is a sandbox, which must not be asked to stop: all inside would be killed at once. */
  readonly confined?: boolean | undefined;
}

/** Whether a line was the child's last word: then it has a grace period to end by itself. */
export type Heard = "more" | "final";

/** How a child ended, and what is left of it. */
export type Ended = EndKind & {
  /** The last of its output as text, invalid UTF-8 replaced. */
  readonly tail: string;
  readonly droppedBytes: number;
  /** Processes that even KILL did not end; empty but for a broken kernel or disk. */
  readonly survivors: readonly ProcessIdentity[];
};

export type EndKind =
  | Exit
  | { readonly kind: "timeout" }
  | { readonly kind: "idle" }
  | { readonly kind: "aborted" }
  /** It had said its last word, did not end within the grace period, and was ended. */
  | { readonly kind: "final" }
  | { readonly kind: "spawn-failed"; readonly fault: StartFault; readonly message: string };

/** Runs one command to its end, whatever it does, and leaves none of its processes behind. */
export async function supervise(options: SuperviseOptions): Promise<Ended> {
  if (options.signal.aborted) return nothingRan({ kind: "aborted" });
  const cwdWithin = options.cwdWithin === undefined ? undefined : realFolder(options.cwdWithin);
  const opened = openLog(options);
  if (!opened.ok) return notStarted(opened.failure, options);
  const log = opened.value;
  const { argv, cwd, env, stdin, conversation, hear } = options;
  const input = conversation === undefined ? stdin : ({ kind: "conversation" } as const);
  const held = await startHeld({ argv, cwd, env, stdin: input, errorsApart: hear !== undefined });
  if (!held.ok) {
    log.finish();
    return notStarted(held.failure, options);
  }
  const child = held.value;
  const family = followFamily(child.identity);
  const signs = { family, marker: options.marker, cwdWithin };
  const forget = guardSession(child.identity.pid, () => endSessionNow(signs));
  const final = new AbortController();
  const drained = collectOutput(
    child,
    log,
    listener(options, () => final.abort()),
  );
  try {
    const end = await runToEnd({ child, signs, family, log, final: final.signal, options });
    const survivors = await endSession(signs);
    // With its writers dead the pipe ends at once; one that escaped must not delay the finish.
    if (!(await settlesWithin(drained, limits.outputDrainMs))) await pollPhase();
    return { ...end, ...log.finish(), survivors };
  } catch (error) {
    await endSession(signs);
    log.finish();
    throw error;
  } finally {
    forget();
    child.output.destroy();
    child.errors?.destroy();
    child.input?.destroy();
  }
}

interface Running {
  readonly child: HeldProcess;
  readonly signs: SessionSigns;
  readonly family: ProcessFamily;
  readonly log: OutputLog;
  /** Aborts at the child's last word. */
  readonly final: AbortSignal;
  readonly options: SuperviseOptions;
}

function nothingRan(end: EndKind): Ended {
  return { ...end, tail: "", droppedBytes: 0, survivors: [] };
}

/** What fails while Stint is being stopped says nothing about the machine. */
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

function listener({ hear }: SuperviseOptions, final: () => void): LineSplitter | undefined {
  if (hear === undefined) return undefined;
  return splitLines(limits.agentLineBytesMax, (line) => {
    if (hear(line) === "final") final();
  });
}

async function collectOutput(child: HeldProcess, log: OutputLog, lines: LineSplitter | undefined): Promise<void> {
  const ended = [child.output, ...(child.errors === null ? [] : [child.errors])].map(async (stream) => {
    stream.on("data", (chunk: Buffer) => {
      log.write(chunk);
      if (stream === child.output) lines?.write(chunk);
    });
    await new Promise<void>((resolve) => {
      stream.once("end", resolve);
      stream.once("close", resolve);
    });
  });
  await Promise.all(ended);
  lines?.end();
}

async function runToEnd(running: Running): Promise<EndKind> {
  const { child, options } = running;
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
  const { input } = child;
  if (input !== null) {
    options.conversation?.(
      (text) => void input.write(text),
      () => void input.end(),
    );
  }
  const end = await firstEnd(running);
  if (end.kind !== "exited" && end.kind !== "signalled") await climbStopLadder(running);
  return end;
}

async function firstEnd(running: Running): Promise<EndKind> {
  const { child, final, options } = running;
  const cleanups: (() => void)[] = [];
  const end = await new Promise<EndKind>((resolve) => {
    const abort = (): void => resolve({ kind: "aborted" });
    options.signal.addEventListener("abort", abort);
    cleanups.push(() => options.signal.removeEventListener("abort", abort));
    cleanups.push(after(options.wallMsMax, () => resolve({ kind: "timeout" })));
    cleanups.push(watchIdleness(running, () => resolve({ kind: "idle" })));
    const linger = (): void => {
      cleanups.push(after(options.finalGraceMs ?? limits.finalGraceMs, () => resolve({ kind: "final" })));
    };
    final.addEventListener("abort", linger);
    if (final.aborted) linger();
    void child.exited.then(resolve);
  });
  for (const cleanup of cleanups) cleanup();
  return end;
}

/** Looks at the family even without an idle limit, because a child seen once is found again after it has left the tree. */
function watchIdleness({ family, log, options }: Running, idle: () => void): () => void {
  const idleMsMax = options.idleMsMax ?? Infinity;
  const everyMs = Math.max(10, Math.min(1_000, Math.floor(idleMsMax / 4)));
  let quietMs = 0;
  let receivedBytes = 0;
  const timer = setInterval(() => {
    const { progressed } = family.look();
    // Looks are counted, not hours: while Stint itself was stopped or starved, nobody could have been heard.
    quietMs = progressed || log.receivedBytes() > receivedBytes ? 0 : quietMs + everyMs;
    receivedBytes = log.receivedBytes();
    if (quietMs >= idleMsMax) idle();
  }, everyMs);
  return () => clearInterval(timer);
}

/** Asks first, so that an agent can save its session; KILL follows in `endSession`. */
async function climbStopLadder({ child, signs, options }: Running): Promise<void> {
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    signalSession(signs, signal, { sparingLeader: options.confined === true });
    if (await settlesWithin(child.exited, options.stopLadderStepMs ?? limits.stopLadderStepMs)) return;
  }
}

/** A timer may come due before output that has already arrived is read. */
async function pollPhase(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(() => setImmediate(resolve));
  });
}
