import { realpath } from "node:fs/promises";
import type { Folders } from "../../sandbox/sandbox.ts";
import type {
  AgentDriver,
  AgentEvent,
  AgentFacts,
  Outcome,
  SessionRequest,
  SessionResult,
  SessionWish,
  Usage,
} from "./agent.ts";
import { writeHomeFile } from "./home-file.ts";
import { type HostFiles, hostFiles } from "./host-files.ts";
import { isRecord } from "./json.ts";
import { type OwnEnd, runSession } from "./session.ts";

/** All knowledge of one agent that takes a prompt and writes events as JSON lines. Pure: no I/O. */
export interface Dialect {
  readonly facts: AgentFacts & { readonly program: string };
  readonly invoke: (wish: DialectWish) => Invocation;
  /** A fresh ear for one session. */
  readonly listen: () => Ear;
}

export interface DialectWish extends SessionWish {
  /** As the agent sees them. */
  readonly folders: Folders;
  /** Whether the operating system confines it already, so that its own confinement may be off. */
  readonly confined: boolean;
  /** What it is given of the user's environment, which tells how it logs in. */
  readonly env: Readonly<Record<string, string>>;
}

export interface Invocation {
  /** After the program and the arguments of the config. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** A function where it holds files of the host. */
  readonly stdin: string | undefined | ((files: HostFiles) => Promise<string>);
  /** Files of its home, by path below it, written before it starts; sessions share the home, so these may not differ. */
  readonly homeFiles?: Readonly<Record<string, string>>;
}

/** Understands the output of one session. */
export interface Ear {
  /** What one parsed line says. Anything may come here: lines of other versions, of other programs, of an attacker. */
  readonly hear: (line: Readonly<Record<string, unknown>>) => readonly AgentEvent[];
  /** Whether the agent has said its last word. */
  readonly isFinal: () => boolean;
  /** What the session's own end means; exit code, final event and structured fields decide, never prose. */
  readonly conclude: (end: OwnEnd) => Outcome;
  /** Null where nothing was told. */
  readonly usage: () => Usage | null;
  readonly sessionId: () => string | null;
}

/** A driver that speaks the dialect. */
export function dialectDriver(dialect: Dialect): AgentDriver {
  return { facts: dialect.facts, run: (request) => run(dialect, request) };
}

async function run(dialect: Dialect, request: SessionRequest): Promise<SessionResult> {
  const { confined } = request.enclosure;
  // Programs know the folder they stand in by its real name.
  const workspace = confined ? request.enclosure.folders.workspace : await realpath(request.workspace);
  const folders = { ...request.enclosure.folders, workspace };
  const { args, env, stdin, homeFiles = {} } = dialect.invoke({ ...request, folders, confined });
  for (const [path, text] of Object.entries(homeFiles)) await writeHomeFile(request.home, path, text);
  const input = typeof stdin === "function" ? await stdin(hostFiles(request.workspace)) : stdin;
  const ear = dialect.listen();
  const command = request.command.length > 0 ? request.command : [dialect.facts.program];
  return await runSession(request, {
    argv: [...command, ...args],
    env,
    stdin: input,
    hear: (line) => {
      const parsed = parseRecord(line);
      return { events: parsed === undefined ? [] : ear.hear(parsed), final: ear.isFinal() };
    },
    conclude: ear.conclude,
    usage: ear.usage,
    sessionId: ear.sessionId,
  });
}

/** A line that is no JSON object says nothing. */
export function parseRecord(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
