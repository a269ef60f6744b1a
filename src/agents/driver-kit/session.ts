import { diskFault } from "../../base/disk-fault.ts";
import { processLimits } from "../../process/limits.ts";
import { readableLines } from "../../base/readable.ts";
import { unreachable } from "../../base/result.ts";
import type { AgentEvent, Outcome, ProgramFacts, SessionRequest, SessionResult, Usage } from "./agent.ts";
import { withFalseStart } from "./false-start.ts";
import { beforeSession } from "../../process/disk.ts";
import { findProgram } from "../../process/find-program.ts";
import type { Exit } from "../../process/held-process.ts";
import { readReport, readUsage } from "./outbox.ts";
import { agentsLimits } from "../limits.ts";
import type { StartFault } from "../../process/start-failure.ts";
import { type Ended, type Heard, supervise, type SuperviseOptions } from "../../process/supervise.ts";

/** How to start one agent program and interpret its output. */
export interface Conduct {
  /** The command line, with paths as inside the sandbox. */
  readonly argv: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string | undefined;
  readonly conversation?: SuperviseOptions["conversation"];
  /** Interprets one line of its output. */
  readonly hear?: ((line: string) => { readonly events: readonly AgentEvent[]; readonly final: boolean }) | undefined;
  /** Decides the outcome where the agent ended by itself. */
  readonly conclude: (end: OwnEnd) => Outcome | Promise<Outcome>;
  /** The usage that its output reported; where that is null, `usage.json` in the outbox counts. */
  readonly usage?: (() => Usage | null) | undefined;
  readonly sessionId?: (() => string | null) | undefined;
  readonly version?: (() => string | null) | undefined;
  /** Whether its output shows every tool call. */
  readonly showsTools?: boolean | undefined;
}

/** How the agent ended by itself, and what it printed last, without secrets; `final` means that it wrote its final event, did not exit, and was stopped. */
export type OwnEnd = (Exit | { readonly kind: "final" }) & { readonly tail?: string };

/** Runs one session to its end and reads the outbox. */
export async function runSession(request: SessionRequest, conduct: Conduct): Promise<SessionResult> {
  const { enclosure, signal } = request;
  const command = enclosure.enter({
    argv: locate(conduct.argv, request),
    cwd: enclosure.folders.workspace,
    env: { ...request.env, ...conduct.env },
  });
  const folders = [request.workspace, request.outbox, request.home];
  const disk = beforeSession(folders);
  const seen = { usedTools: false, isFinal: false };
  const before = performance.now();
  const ended = await supervise({
    ...command,
    stdin: conduct.stdin,
    conversation: conduct.conversation,
    hear: conduct.hear === undefined ? undefined : hearing(conduct.hear, request, seen),
    logFile: request.logFile,
    redact: request.redact,
    outputBytesMax: processLimits.agentOutputBytesMax,
    wallMsMax: request.wallMsMax,
    idleMsMax: request.idleMsMax,
    signal,
    started: request.started,
    marker: request.marker,
    cwdWithin: request.workspace,
    folders,
    confined: enclosure.confined,
  });
  if (ended.kind === "exited" && !enclosure.entered() && !signal.aborted)
    throw notStarted("environment", `the sandbox reported ${ended.tail.trim()}. Fix that.`, request);
  const durationMs = Math.round(performance.now() - before);
  const outcome = await toOutcome(ended, request, conduct);
  const fault = mayBlameDisk(ended, outcome) ? diskFault(folders) : undefined;
  if (fault !== undefined && !(await disk.hasFilledDisk())) throw spoiltByDisk(outcome, fault, request);
  const { report, problem } = await readReport(request.outbox);
  const usage = conduct.usage?.() ?? (await readUsage(request.outbox));
  const sessionId = conduct.sessionId?.() ?? null;
  const program =
    conduct.showsTools === true && programFacts({ ...seen, durationMs, outcome, ended, conduct, request });
  return {
    outcome,
    report,
    usage,
    sessionId,
    ...(problem === undefined ? {} : { reportProblem: problem }),
    ...(program === false ? {} : { program }),
  };
}

/** What was heard of the agent's program. */
interface Seen {
  usedTools: boolean;
  isFinal: boolean;
}

function programFacts(
  session: Seen & { durationMs: number; outcome: Outcome; ended: Ended; conduct: Conduct; request: SessionRequest },
): ProgramFacts {
  const { usedTools, isFinal, durationMs, outcome, ended, conduct } = session;
  const version = conduct.version?.() ?? null;
  const lastWords = outcome.kind === "crashed" && !isFinal ? lastWordsIn(ended.tail) : undefined;
  const facts = {
    durationMs,
    usedTools,
    ...(lastWords === undefined ? {} : { lastWords }),
    ...(version === null ? {} : { version }),
  };
  return withFalseStart(outcome, facts, session.request.redact);
}

/** Finds what a program printed last about its failure: neither an event, nor the trace below an error, nor the version that Node adds. */
export function lastWordsIn(tail: string): string | undefined {
  const isWords = (line: string) => /^[^\s{]/.test(line) && !/^Node\.js v\d/.test(line);
  return readableLines(tail).findLast(isWords)?.trim().slice(0, agentsLimits.lastWordsCharsMax);
}

/** Finds the program on the host, where "not installed" differs from a sandbox that does not start. */
function locate(argv: readonly string[], request: SessionRequest): string[] {
  const program = findProgram({ argv, cwd: request.workspace, env: request.env });
  if (!program.ok) throw notStarted(program.failure.reason, program.failure.message, request);
  return [program.value, ...argv.slice(1)];
}

function hearing(
  hear: NonNullable<Conduct["hear"]>,
  { observe, redact, lastWord }: Pick<SessionRequest, "observe" | "redact" | "lastWord">,
  seen: Seen,
): (line: string) => Heard {
  return (line) => {
    const { events, final } = hear(line);
    for (const event of events) observe(redact?.value(event) ?? event);
    seen.usedTools ||= events.some(({ type }) => type === "tool" || type === "file");
    if (!final) return "more";
    seen.isFinal = true;
    lastWord?.();
    return "final";
  };
}

async function toOutcome(ended: Ended, request: SessionRequest, { conclude }: Conduct): Promise<Outcome> {
  // Whatever a session did while Stint was stopping, it may have done because of that.
  if (request.signal.aborted) return interrupted;
  switch (ended.kind) {
    case "exited":
    case "signalled":
    case "final":
      return await conclude(ended);
    case "spawn-failed":
      throw notStarted(ended.fault, ended.message, request);
    case "timeout":
      return { kind: "timeout", detail: `it did not finish within ${seconds(request.wallMsMax)}` };
    case "idle":
      return { kind: "idle", detail: `no output and no CPU time for ${seconds(request.idleMsMax)}` };
    case "exceeded":
      return { kind: "crashed", detail: `it used ${ended.what} and was stopped` };
    case "aborted":
      return interrupted;
    default:
      return unreachable(ended);
  }
}

/** Whether a full disk may be the reason; a session that used too much of it has filled it itself. */
function mayBlameDisk(ended: Ended, { kind }: Outcome): boolean {
  return ended.kind !== "exceeded" && (kind === "crashed" || kind === "timeout" || kind === "idle");
}

/** Makes an error, as for a session that never started: another one would fail the same way until a person fixes the disk. */
function spoiltByDisk(outcome: Outcome, fault: string, { resume }: SessionRequest): Error {
  const how = "detail" in outcome ? `${outcome.kind}: ${outcome.detail}` : outcome.kind;
  return new Error(
    `A session ended badly (${how}) while the disk cannot be written; it does not count as an attempt. ${fault}, then run \`${resume}\`.`,
  );
}

const interrupted: Outcome = { kind: "interrupted", detail: "stopped by Stint" };

/** Makes an error for a session that never started: it does not count as an attempt, and a person has to fix it. */
function notStarted(fault: StartFault, message: string, { resume }: SessionRequest): Error {
  return new Error(`The agent cannot be started: ${message} ${fixFor(fault, resume)}`);
}

function fixFor(fault: StartFault, resume: string): string {
  if (fault === "environment") return `Then run \`${resume}\`.`;
  if (fault === "command") return "Correct the agent's `command` in your settings, then start again.";
  return `Fix the program or PATH, then \`${resume}\`.`;
}

function seconds(ms: number): string {
  return `${ms / 1000} s`;
}
