import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import type { Writable } from "node:stream";
import { ok, type Result } from "../base/result.ts";
import { absoluteSearchPath } from "../base/search-path.ts";
import type { ProcessIdentity } from "../engine/session.ts";
import { findProgram } from "./find-program.ts";
import { identify } from "./identity.ts";
import { environmentFailure, type StartFailure } from "./start-failure.ts";

/** How the system says a process ended. */
export type Exit =
  { readonly kind: "exited"; readonly code: number } | { readonly kind: "signalled"; readonly signal: string };

/** A process that waits before its first instruction until it is released. */
export interface HeldProcess {
  readonly identity: ProcessIdentity;
  readonly release: () => void;
  /** Ends it before it has run anything. */
  readonly discard: () => void;
  readonly exited: Promise<Exit>;
  /** Standard output together with standard error in the order they were written, unless `errors` is separate. */
  readonly output: OutputPipe;
  readonly errors: OutputPipe | null;
  /** Standard input, if it is a conversation. */
  readonly input: Writable | null;
}

/** The end of a pipe at which a child's output is read. */
export interface OutputPipe {
  /** Passes on every chunk; its bytes are overwritten as soon as `hear` returns. */
  readonly listen: (hear: (chunk: Buffer) => void) => void;
  /** Resolves when no process can write any more, or at `close`. */
  readonly ended: Promise<void>;
  readonly close: () => void;
}

export interface HeldProcessOptions {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** A text that can be read from the start, or a conversation that stays open. */
  readonly stdin?: string | { readonly kind: "conversation" } | undefined;
  /** Whether standard error gets its own pipe, because the output is read as lines of a protocol. */
  readonly errorsApart?: boolean | undefined;
}

/** Starts a command in its own process group, held by a shell that waits on descriptor 3: should Stint die first, the shell reads the end of file and runs nothing. */
export async function startHeld(options: HeldProcessOptions): Promise<Result<HeldProcess, StartFailure>> {
  const program = findProgram(options);
  if (!program.ok) return program;
  const channels = await openChannels(options);
  if (!channels.ok) return channels;
  const { stdin, output, errors } = channels.value;
  try {
    const stdio = [stdin, output.end, errors?.end ?? output.end] as const;
    const child = spawnChild(options, [program.value, ...options.argv.slice(1)], stdio);
    if (child.pid !== undefined) return ok(toHeld(child, child.pid, channels.value));
    const [error] = (await once(child, "error")) as [Error];
    throw error;
  } catch (error) {
    // Node throws some failures, such as a command line too long, and emits others.
    output.pipe.close();
    errors?.pipe.close();
    return { ok: false, failure: spawnFailure(error as NodeJS.ErrnoException) };
  } finally {
    fs.closeSync(output.end);
    if (errors !== null) fs.closeSync(errors.end);
    if (typeof stdin === "number") fs.closeSync(stdin);
  }
}

function spawnFailure(error: NodeJS.ErrnoException): StartFailure {
  if (error.code === "E2BIG") return { reason: "command", message: "The command is too long for the system." };
  if (error.code === "ERR_INVALID_ARG_VALUE")
    return { reason: "command", message: `The system does not accept this command: ${error.message}.` };
  return environmentFailure("The system starts no process", error);
}

interface Channels {
  readonly stdin: number | "ignore" | "pipe";
  readonly output: Pipe;
  readonly errors: Pipe | null;
}

/** A pipe: the child writes to `end`, and Stint reads from `pipe`. */
interface Pipe {
  readonly end: number;
  readonly pipe: OutputPipe;
}

/**
 * Node would connect a child by sockets, on which `> /dev/stderr` and `cat /dev/stdin` fail; so output goes through a real
 * pipe, and the prompt comes from a file, which a child may leave unread at any size.
 */
async function openChannels({ stdin, errorsApart }: HeldProcessOptions): Promise<Result<Channels, StartFailure>> {
  const opened: number[] = [];
  const open = (file: string, flags: number): number => {
    const fd = fs.openSync(file, flags);
    opened.push(fd);
    return fd;
  };
  let folder: string | undefined;
  try {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), "stint-"));
    const pipes = ["output", ...(errorsApart === true ? ["errors"] : [])].map((name) => path.join(folder ?? "", name));
    await makePipes(pipes);
    const text = typeof stdin === "string" ? open(writePrompt(folder, stdin), fs.constants.O_RDONLY) : "ignore";
    const ends = pipes.map((pipe) => {
      const fd = open(pipe, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK);
      return { fd, end: open(pipe, fs.constants.O_WRONLY) };
    });
    // Last: once there is a reader, it owns its descriptor.
    const [output, errors] = ends.map(({ fd, end }) => ({ end, pipe: openOutputPipe(fd) }));
    if (output === undefined) throw new Error("Internal error: expected a pipe for output, but there is none");
    return ok({ stdin: typeof stdin === "object" ? "pipe" : text, output, errors: errors ?? null });
  } catch (error) {
    for (const fd of opened) fs.closeSync(fd);
    return { ok: false, failure: environmentFailure(`The process cannot be prepared in ${os.tmpdir()}`, error) };
  } finally {
    if (folder !== undefined) removeQuietly(folder);
  }
}

/** Makes a named pipe, which Node cannot do. The helper gets its own session, because Ctrl-C at the terminal is meant for Stint. */
async function makePipes(files: readonly string[]): Promise<void> {
  const child = spawn("mkfifo", ["-m", "600", ...files], {
    cwd: "/",
    env: { PATH: absoluteSearchPath(process.env["PATH"]) },
    detached: true,
    stdio: ["ignore", "ignore", "pipe"],
  });
  let complaint = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (complaint += text));
  const [code, signal] = (await once(child, "close")) as [number | null, string | null];
  if (code !== 0) throw new Error(complaint.trim() || `mkfifo failed with ${code ?? signal}`);
}

/** Reads into one buffer: a new one for each chunk would fill the memory in a flood before it is collected. */
function openOutputPipe(fd: number): OutputPipe {
  let hear: ((chunk: Buffer) => void) | undefined;
  const buffer = Buffer.alloc(65_536);
  const callback = (length: number): boolean => {
    hear?.(buffer.subarray(0, length));
    return true;
  };
  const options: net.SocketConstructorOpts & Pick<net.TcpSocketConnectOpts, "onread"> = {
    fd,
    readable: true,
    writable: false,
    onread: { buffer, callback },
  };
  const socket = new net.Socket(options);
  const ended = new Promise<void>((resolve) => {
    socket.once("end", resolve);
    socket.once("close", resolve);
  });
  // A pipe that cannot be read has ended; the exit shows how the child ended.
  socket.on("error", () => undefined);
  return {
    listen: (listener) => {
      hear = listener;
    },
    ended,
    close: () => {
      hear = undefined;
      socket.destroy();
    },
  };
}

/** Removes the folder if it can: a leftover among temporary files does no harm, so it is not a reason to fail. */
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
  [stdin, output, errors]: readonly [Channels["stdin"], number, number],
): ChildProcess {
  // The holding shell exports these by itself; the child must get exactly the given environment.
  const own = ["PWD", "OLDPWD", "SHLVL"].filter((name) => !(name in env));
  const script = `IFS= read -r stint_hold <&3 && unset stint_hold ${own.join(" ")} && exec "$@" 3<&-`;
  return spawn("/bin/sh", ["-c", script, "stint-hold", ...argv], {
    cwd,
    env,
    detached: true,
    stdio: [stdin, output, errors, "pipe"],
  });
}

function toHeld(child: ChildProcess, pid: number, { output, errors }: Channels): HeldProcess {
  const hold = child.stdio[3] as Writable;
  // A child killed while it was held closes its end; `exited` reports that it has ended.
  for (const stream of [hold, child.stdin]) stream?.on("error", () => undefined);
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
    output: output.pipe,
    errors: errors?.pipe ?? null,
    input: child.stdin,
  };
}
