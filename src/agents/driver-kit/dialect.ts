import { open, readFile, realpath } from "node:fs/promises";
import type { Folders } from "../../sandbox/sandbox.ts";
import { lookUp, type Tree } from "../../sandbox/tree-lookup.ts";
import { agentsLimits } from "../limits.ts";
import type {
  AgentDriver,
  AgentEvent,
  AgentFacts,
  Outcome,
  SessionInput,
  SessionRequest,
  SessionResult,
  SessionWish,
  Usage,
} from "./agent.ts";
import { writeHomeFile } from "./home-file.ts";
import { isRecord } from "./json.ts";
import { type OwnEnd, runSession } from "./session.ts";

/** All knowledge about one agent that takes a prompt and writes events as JSON lines. Pure: no I/O. */
export interface Dialect {
  readonly facts: AgentFacts & { readonly program: string };
  readonly invoke: (wish: DialectWish) => Invocation;
  /** Starts to interpret the output of one session. */
  readonly listen: () => Ear;
  /** Whether its output shows every tool call, so that a failure before the first one is none of the task's. */
  readonly showsTools: boolean;
}

export interface DialectWish extends SessionWish {
  /** The paths that the agent sees. */
  readonly folders: Folders;
  /** Whether a sandbox confines it already, so that its own confinement may be off. */
  readonly confined: boolean;
  /** Its environment, which shows how it logs in. */
  readonly env: Readonly<Record<string, string>>;
}

export interface Invocation {
  /** Arguments after the program and the arguments of the settings. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** A function where it includes files of the host. */
  readonly stdin: string | undefined | ((files: HostFiles) => Promise<string>);
  /** Files to write to its home before it starts; sessions share the home, so they must be the same in all. */
  readonly homeFiles?: Readonly<Record<string, string>>;
}

/** Reads files that become part of a prompt when the session starts, so that dialects stay pure. */
export interface HostFiles {
  readonly base64: (input: SessionInput) => Promise<string>;
  /** Reads the first of these files that the root of the repository has; undefined where it has none. */
  readonly ofRepository: (names: readonly string[]) => Promise<string | undefined>;
}

/** Interprets the output of one session. */
export interface Ear {
  /** Turns one parsed line into events. Expect anything: lines of other versions, of other programs, of an attacker. */
  readonly hear: (line: Readonly<Record<string, unknown>>) => readonly AgentEvent[];
  /** Whether the agent has written its final event. */
  readonly isFinal: () => boolean;
  /** Decides the outcome by exit code, final event and structured fields, never by prose. */
  readonly conclude: (end: OwnEnd) => Outcome;
  /** Null where the agent reported none. */
  readonly usage: () => Usage | null;
  readonly sessionId: () => string | null;
  /** The version of the program, where its output has it. */
  readonly version?: () => string | null;
}

/** Makes the driver of a dialect. */
export function dialectDriver(dialect: Dialect): AgentDriver {
  return { facts: dialect.facts, run: (request) => run(dialect, request) };
}

async function run(dialect: Dialect, request: SessionRequest): Promise<SessionResult> {
  const { confined } = request.enclosure;
  // Programs know their working directory by its real path.
  const workspace = confined ? request.enclosure.folders.workspace : await realpath(request.workspace);
  const folders = { ...request.enclosure.folders, workspace };
  const { args, env, stdin, homeFiles = {} } = dialect.invoke({ ...request, folders, confined });
  for (const [path, text] of Object.entries(homeFiles)) await writeHomeFile(request.home, path, text);
  const input = typeof stdin === "function" ? await stdin(hostFiles(request.files)) : stdin;
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
    version: ear.version,
    showsTools: dialect.showsTools,
  });
}

/** Reads files on the host; no agent works in the workspace yet. */
function hostFiles(tree: Tree): HostFiles {
  return {
    base64: ({ file }) => readFile(file, "base64"),
    ofRepository: async (names) => {
      for (const name of names) {
        const text = await readInside(tree, name);
        if (text !== undefined) return text;
      }
      return undefined;
    },
  };
}

/** Refuses files outside the workspace: a repository may ship a link to a file of the user's. */
async function readInside(tree: Tree, name: string): Promise<string | undefined> {
  try {
    const found = lookUp(tree, name, { follow: true });
    return typeof found !== "string" && found.kind === "file" ? await readBeginning(found.host) : undefined;
  } catch {
    return undefined;
  }
}

async function readBeginning(file: string): Promise<string> {
  const handle = await open(file);
  try {
    const buffer = Buffer.alloc(agentsLimits.repoInstructionsBytesMax);
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, 0);
    return buffer.subarray(0, bytesRead).toString("utf8");
  } finally {
    await handle.close();
  }
}

/** Parses a line; undefined where it is no JSON object. */
export function parseRecord(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
