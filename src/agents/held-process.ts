import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import type { Writable } from "node:stream";
import { ok, type Result } from "../result.ts";
import { absoluteSearchPath } from "../search-path.ts";
import type { ProcessIdentity } from "./agent.ts";
import { findProgram } from "./find-program.ts";
import { identify } from "./process-identity.ts";
import { environmentFailure, type StartFailure } from "./start-failure.ts";

/** How the system says a process ended. */
export type Exit =
  { readonly kind: "exited"; readonly code: number } | { readonly kind: "signalled"; readonly signal: string };

/** A process that waits before its first instruction until it is released. */
export interface HeldProcess {
  readonly identity: ProcessIdentity;
  readonly release: () => void;
  /** Lets it end without having run anything. */
  readonly discard: () => void;
  readonly exited: Promise<Exit>;
  /** Standard output and error in the order they were written. */
  readonly output: net.Socket;
}

export interface HeldProcessOptions {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly stdin?: string | undefined;
}

/** Starts a command in its own process group, held by a shell that waits on descriptor 3: should Stint die first, the shell reads the end of file and runs nothing. */
export async function startHeld(options: HeldProcessOptions): Promise<Result<HeldProcess, StartFailure>> {
  const program = findProgram(options);
  if (!program.ok) return program;
  const channels = await openChannels(options.stdin);
  if (!channels.ok) return channels;
  const { stdin, outputEnd, output } = channels.value;
  try {
    const child = spawnChild(options, [program.value, ...options.argv.slice(1)], [stdin, outputEnd]);
    if (child.pid !== undefined) return ok(toHeld(child, child.pid, output));
    const [error] = (await once(child, "error")) as [Error];
    throw error;
  } catch (error) {
    // Node throws some failures, such as a command line too long, and emits others.
    output.destroy();
    return { ok: false, failure: spawnFailure(error as NodeJS.ErrnoException) };
  } finally {
    fs.closeSync(outputEnd);
    if (typeof stdin === "number") fs.closeSync(stdin);
  }
}

function spawnFailure(error: NodeJS.ErrnoException): StartFailure {
  if (error.code === "E2BIG") return { reason: "command", message: "The command is too long for the system." };
  if (error.code === "ERR_INVALID_ARG_VALUE")
    return { reason: "command", message: `The system takes no such command: ${error.message}.` };
  return environmentFailure("The system starts no process", error);
}

interface Channels {
  readonly stdin: number | "ignore";
  readonly outputEnd: number;
  readonly output: net.Socket;
}

/**
 * Node would connect a child by sockets, on which `> /dev/stderr` and `cat /dev/stdin` fail; so output goes through a real
 * pipe, and the prompt comes from a file, which a child may leave unread at any size.
 */
async function openChannels(stdin: string | undefined): Promise<Result<Channels, StartFailure>> {
  const opened: number[] = [];
  const open = (file: string, flags: number): number => {
    const fd = fs.openSync(file, flags);
    opened.push(fd);
    return fd;
  };
  let folder: string | undefined;
  try {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), "stint-"));
    const pipe = path.join(folder, "output");
    await makePipe(pipe);
    const prompt = stdin === undefined ? "ignore" : open(writePrompt(folder, stdin), fs.constants.O_RDONLY);
    const fd = open(pipe, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK);
    const outputEnd = open(pipe, fs.constants.O_WRONLY);
    return ok({ stdin: prompt, outputEnd, output: new net.Socket({ fd, readable: true, writable: false }) });
  } catch (error) {
    for (const fd of opened) fs.closeSync(fd);
    return { ok: false, failure: environmentFailure(`The process cannot be prepared in ${os.tmpdir()}`, error) };
  } finally {
    if (folder !== undefined) removeQuietly(folder);
  }
}

/** Node cannot make a pipe with a name. The helper gets a session of its own, because Ctrl-C at the terminal is meant for Stint. */
async function makePipe(file: string): Promise<void> {
  const child = spawn("mkfifo", ["-m", "600", file], {
    cwd: "/",
    env: { PATH: absoluteSearchPath(process.env["PATH"]) },
    detached: true,
    stdio: ["ignore", "ignore", "pipe"],
  });
  let complaint = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (complaint += text));
  const [code, signal] = (await once(child, "close")) as [number | null, string | null];
  if (code !== 0) throw new Error(complaint.trim() || `mkfifo ended with ${code ?? signal}`);
}

/** What is left in the folder for temporary files harms nobody, so it is no reason to fail. */
function removeQuietly(folder: string): void {
  try {
    fs.rmSync(folder, { recursive: true, force: true });
  } catch {
    return;
  }
}

function writePrompt(folder: string, text: string): string {
  const file = path.join(folder, "prompt");
  fs.writeFileSync(file, text, { mode: 0o600, flag: "wx" });
  return file;
}

function spawnChild(
  { cwd, env }: HeldProcessOptions,
  argv: readonly string[],
  [stdin, output]: [number | "ignore", number],
): ChildProcess {
  // The holding shell exports these by itself; the child's environment is to be exactly the one given.
  const own = ["PWD", "OLDPWD", "SHLVL"].filter((name) => !(name in env));
  const script = `IFS= read -r stint_hold <&3 && unset stint_hold ${own.join(" ")} && exec "$@" 3<&-`;
  return spawn("/bin/sh", ["-c", script, "stint-hold", ...argv], {
    cwd,
    env,
    detached: true,
    stdio: [stdin, output, output, "pipe"],
  });
}

function toHeld(child: ChildProcess, pid: number, output: net.Socket): HeldProcess {
  const hold = child.stdio[3] as Writable;
  // A child killed while it was held closes its end; that it has ended is told by `exited`.
  hold.on("error", () => undefined);
  output.on("error", () => undefined);
  const exited = new Promise<Exit>((resolve) => {
    child.once("exit", (code, signal) => {
      resolve(code === null ? { kind: "signalled", signal: signal ?? "SIGKILL" } : { kind: "exited", code });
    });
  });
  return {
    identity: identify(pid) ?? { pid, startTime: "", bootId: "" },
    release: () => hold.end("\n"),
    discard: () => hold.destroy(),
    exited,
    output,
  };
}
