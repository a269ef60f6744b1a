import { limits } from "../limits.ts";
import { unreachable } from "../result.ts";
import type { AgentDriver, Outcome, SessionRequest, SessionResult } from "./agent.ts";
import { readLimitReset, readReport, readUsage } from "./outbox.ts";
import type { StartFault } from "./start-failure.ts";
import { type Ended, supervise } from "./supervise.ts";

/** Any program that reads a prompt and works in the current folder; its exit code alone tells how the session ended. */
export const commandDriver: AgentDriver = { run };

/** The entry by which processes of this session are found, also by a later Stint: no two attempts share an outbox. */
export function sessionMarker(outbox: string): string {
  return `STINT_OUTBOX=${outbox}`;
}

async function run(request: SessionRequest): Promise<SessionResult> {
  const ended = await supervise({
    argv: request.command,
    cwd: request.workspace,
    env: { ...request.env, STINT_OUTBOX: request.outbox },
    stdin: request.prompt,
    logFile: request.logFile,
    outputBytesMax: limits.agentOutputBytesMax,
    wallMsMax: request.wallMsMax,
    idleMsMax: request.idleMsMax,
    signal: request.signal,
    started: request.started,
    marker: sessionMarker(request.outbox),
    cwdWithin: request.workspace,
  });
  const outcome = await toOutcome(ended, request);
  const { report, problem } = await readReport(request.outbox);
  const usage = await readUsage(request.outbox);
  return { outcome, report, usage, ...(problem === undefined ? {} : { reportProblem: problem }) };
}

async function toOutcome(ended: Ended, request: SessionRequest): Promise<Outcome> {
  // Whatever a session did while Stint was being stopped, it may have done because of that.
  if (request.signal.aborted) return interrupted;
  switch (ended.kind) {
    case "exited":
      return exitOutcome(ended.code, request.outbox);
    case "signalled":
      return { kind: "crashed", detail: `killed by ${ended.signal}` };
    case "spawn-failed":
      throw new Error(`The agent cannot be started: ${ended.message} ${cureOf(ended.fault)}`);
    case "timeout":
      return { kind: "timeout", detail: `no end within ${seconds(request.wallMsMax)}` };
    case "idle":
      return { kind: "idle", detail: `no output and no processor time for ${seconds(request.idleMsMax)}` };
    case "aborted":
      return interrupted;
    default:
      return unreachable(ended);
  }
}

const interrupted: Outcome = { kind: "interrupted", detail: "stopped by Stint" };

/** A session that never began is not the task's failure: it costs no attempt, and a person has to look. */
function cureOf(fault: StartFault): string {
  if (fault === "environment") return "Then run `stint resume`.";
  return "Mend the program or PATH, then run `stint resume`; or correct `command`, then `stint approve` and `stint run`.";
}

async function exitOutcome(code: number, outbox: string): Promise<Outcome> {
  if (code === 0) return { kind: "ok" };
  if (code === usageLimitExitCode) return { kind: "limit", until: await readLimitReset(outbox) };
  return { kind: "crashed", detail: `exit ${code}` };
}

/** EX_TEMPFAIL of sysexits.h: try again later. */
const usageLimitExitCode = 75;

function seconds(ms: number): string {
  return `${ms / 1000} s`;
}
