import type { AgentDriver, Outcome, SessionRequest, SessionResult } from "../driver-kit/agent.ts";
import { readLimitReset } from "../driver-kit/outbox.ts";
import { lastWordsIn, type OwnEnd, runSession } from "../driver-kit/session.ts";

/** Runs any program that reads a prompt and works in the current folder; its exit code alone decides the kind of outcome. */
export const commandDriver: AgentDriver = {
  facts: { program: null, credentials: [], settings: [], userInstructions: [], repoSettings: [] },
  run,
};

async function run(request: SessionRequest): Promise<SessionResult> {
  return await runSession(request, {
    argv: request.command,
    stdin: request.prompt,
    conclude: (end) => conclude(end, request.outbox),
  });
}

async function conclude(end: OwnEnd, outbox: string): Promise<Outcome> {
  if (end.kind === "final") throw new Error("Internal error: expected no final event of a command, but was one");
  if (end.kind === "signalled") return crashed(`killed by ${end.signal}`, end.tail);
  if (end.code === 0) return { kind: "ok" };
  if (end.code === usageLimitExitCode) return { kind: "limit", until: await readLimitReset(outbox) };
  return crashed(`exit ${end.code}`, end.tail);
}

/** An exit code alone explains nothing to the person who has to fix the program. */
function crashed(how: string, tail = ""): Outcome {
  const words = lastWordsIn(tail);
  return { kind: "crashed", detail: words === undefined ? how : `${how}: ${words}` };
}

/** EX_TEMPFAIL of sysexits.h: try again later. */
const usageLimitExitCode = 75;
