import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import type { AgentDriver, AgentEvent, Outcome, Usage } from "../driver-kit/agent.ts";
import { dialectDriver, type Dialect, type Ear } from "../driver-kit/dialect.ts";
import type { OwnEnd } from "../driver-kit/session.ts";

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
  let session: string | null = null;
  let used: Usage | null = null;
  let last: Outcome | null = null;
  const note = (line: Line): readonly AgentEvent[] => {
    if (line["type"] === "start") session = textOf(line, "session");
    if (line["type"] === "usage") used = usageOf(line);
    if (line["type"] === "end") last = lastWordOf(line) ?? last;
    return eventsOf(line);
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

function eventsOf(line: Line): readonly AgentEvent[] {
  switch (line["type"]) {
    case "text":
      return [{ type: "text", text: textOf(line, "text") }];
    case "notice":
      return [{ type: "notice", text: textOf(line, "text") }];
    case "tool":
      return [{ type: "tool", name: textOf(line, "name"), detail: textOf(line, "detail") }];
    case "file":
      return [{ type: "file", path: textOf(line, "path"), change: changeOf(line) }];
    case "usage":
      return [{ type: "usage", usage: usageOf(line) }];
    case "retry": {
      const delay = line["delay_ms"];
      return [{ type: "retry", delayMs: typeof delay === "number" ? delay : null, why: textOf(line, "why") }];
    }
    default:
      return [];
  }
}

function usageOf(line: Line): Usage {
  return {
    inputTokens: amountOf(line, "input_tokens"),
    outputTokens: amountOf(line, "output_tokens"),
    usd: amountOf(line, "usd"),
  };
}

function changeOf(line: Line): "add" | "modify" | "delete" {
  const { change } = line;
  return change === "add" || change === "delete" ? change : "modify";
}

function textOf(line: Line, key: string): string {
  const value = line[key];
  return typeof value === "string" ? value : "";
}

function amountOf(line: Line, key: string): number {
  const value = line[key];
  return typeof value === "number" && value >= 0 && value <= Number.MAX_SAFE_INTEGER ? value : 0;
}

function timeOf(line: Line, key: string): string | null {
  const time = Date.parse(textOf(line, key));
  return Number.isNaN(time) ? null : new Date(time).toISOString();
}
