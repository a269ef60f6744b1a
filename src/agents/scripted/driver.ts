import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import type { AgentDriver, AgentEvent, Outcome, Usage } from "../driver-kit/agent.ts";
import { dialectDriver, type Dialect, type Ear } from "../driver-kit/dialect.ts";
import type { OwnEnd } from "../driver-kit/session.ts";
import { eventsOf } from "../driver-kit/transcript.ts";
import { readScripted, textOf, usageOf } from "./transcript.ts";

const program = programFile();

/** An embedded agent without a model: a program of ours that performs the moves of a file, for demos, tests and benchmarks. */
export const scriptedDriver: AgentDriver = {
  facts: {
    program: null,
    credentials: [],
    settings: [],
    userInstructions: [],
    repoSettings: [],
    files: [process.execPath, program],
    commandIsFile: true,
  },
  run: async (request) =>
    await dialectDriver(dialect).run({ ...request, command: [process.execPath, program, ...request.command] }),
};

const dialect: Dialect = {
  facts: { program: process.execPath, credentials: [], settings: [], userInstructions: [], repoSettings: [] },
  invoke: ({ prompt }) => ({ args: [], env: {}, stdin: prompt }),
  listen,
  // Its crashes are part of a script, which says how often they happen.
  showsTools: false,
};

/** Finds the program beside the bundles of the package, wherever this module itself is. */
function programFile(): string {
  for (let dir = import.meta.dirname; ; dir = dirname(dir)) {
    const file = join(dir, "dist", "scripted-agent.js");
    if (existsSync(file)) return file;
    if (dir === dirname(dir)) throw new Error(`Internal error: expected ${file} of the package, but it is not there`);
  }
}

type Line = Readonly<Record<string, unknown>>;

function listen(): Ear {
  const read = readScripted();
  let session: string | null = null;
  let used: Usage | null = null;
  let last: Outcome | null = null;
  const note = (line: Line): readonly AgentEvent[] => {
    if (line["type"] === "start") session = textOf(line, "session");
    if (line["type"] === "usage") used = usageOf(line);
    if (line["type"] === "end") last = lastWordOf(line) ?? last;
    return eventsOf(read(line));
  };
  return {
    hear: note,
    isFinal: () => last !== null,
    conclude: (end) => conclude(end, last),
    usage: () => used,
    sessionId: () => session,
  };
}

/** Trusts the final event unless the exit code contradicts it: a success that exits with an error is none. */
function conclude(end: OwnEnd, last: Outcome | null): Outcome {
  if (end.kind === "signalled") return { kind: "crashed", detail: `killed by ${end.signal}` };
  if (last === null) {
    const exit = end.kind === "exited" ? `exit ${end.code}` : "it was stopped";
    return { kind: "crashed", detail: `${exit} without a final event` };
  }
  if (last.kind === "ok" && end.kind === "exited" && end.code !== 0) {
    return { kind: "crashed", detail: `exit ${end.code} after its final event` };
  }
  return last;
}

function lastWordOf(line: Line): Outcome | null {
  const kind = line["kind"];
  if (kind === "ok") return { kind };
  if (kind === "limit") return { kind, until: timeOf(line, "until") };
  const detail = textOf(line, "detail");
  const kinds = ["overloaded", "auth", "context", "refused", "misconfigured"] as const;
  const known = kinds.find((name) => name === kind);
  return known === undefined ? null : { kind: known, detail };
}

function timeOf(line: Line, key: string): string | null {
  const time = Date.parse(textOf(line, key));
  return Number.isNaN(time) ? null : new Date(time).toISOString();
}
