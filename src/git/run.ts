import { type ChildProcess, spawn } from "node:child_process";
import type { Readable } from "node:stream";
import { baseLimits } from "../base/limits.ts";
import { gitLimits } from "./limits.ts";
import { configArguments, type ConfigMode, gitEnvironment } from "./environment.ts";

export interface GitOptions {
  readonly gitDir?: string;
  readonly workTree?: string;
  readonly cwd?: string;
  /** An index file of the call's own, so that no other index is read or written. */
  readonly index?: string;
  readonly stdin?: string | Uint8Array | Readable;
  readonly config?: ConfigMode;
  readonly env?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** Makes the command that starts git where it sees its work tree. */
  readonly enter?: (argv: readonly string[]) => readonly string[];
  /** Standard output beyond this is cut off and git is stopped; without it, too much output is an error. */
  readonly keepBytesMax?: number;
}

export interface GitResult {
  readonly code: number;
  readonly stdout: Buffer;
  readonly stderr: string;
}

/** A git call that had to succeed and failed. */
export class GitError extends Error {
  readonly code: number;
  readonly stderr: string;

  constructor(args: readonly string[], result: GitResult) {
    super(`git ${args.join(" ")} failed with exit code ${result.code}: ${result.stderr.trim()}`);
    this.name = "GitError";
    this.code = result.code;
    this.stderr = result.stderr;
  }
}

/** Runs git with an argv array, an environment from scratch and pinned options. No other code starts a git process. */
export async function git(args: readonly string[], options: GitOptions = {}): Promise<GitResult> {
  const { child, done } = start(args, options);
  const stdout = collect(child.stdout, options.keepBytesMax ?? gitLimits.gitStdoutBytesMax, () =>
    child.kill("SIGKILL"),
  );
  const end = await done;
  if (stdout.overflowed() && options.keepBytesMax === undefined)
    throw new Error(`git ${args.join(" ")} printed more than ${gitLimits.gitStdoutBytesMax} bytes`);
  return { ...end, code: stdout.overflowed() ? 0 : end.code, stdout: stdout.bytes() };
}

/** Runs git like `git` does, for calls whose failure is a bug or a broken environment. */
export async function gitOk(args: readonly string[], options: GitOptions = {}): Promise<Buffer> {
  const result = await git(args, options);
  if (result.code !== 0) throw new GitError(args, result);
  return result.stdout;
}

/** Feeds one git's output to another without holding it in memory, however large it is. */
export async function gitPipe(
  from: { readonly args: readonly string[]; readonly options: GitOptions },
  to: { readonly args: readonly string[]; readonly options: GitOptions },
): Promise<void> {
  const source = start(from.args, from.options);
  const target = gitOk(to.args, { ...to.options, ...(source.child.stdout ? { stdin: source.child.stdout } : {}) });
  const [end, fed] = await Promise.allSettled([source.done, target]);
  if (end.status === "rejected") throw end.reason;
  if (end.value.code !== 0) throw new GitError(from.args, { ...end.value, stdout: Buffer.alloc(0) });
  if (fed.status === "rejected") throw fed.reason;
}

let refQueue: Promise<unknown> = Promise.resolve();

/** Runs calls that change refs one at a time: two of them racing for one lock file would fail for no reason that a user could fix. */
export async function oneAtATime<T>(change: () => Promise<T>): Promise<T> {
  const turn = refQueue.then(change, change);
  refQueue = turn.catch(() => undefined);
  return turn;
}

type Ended = Omit<GitResult, "stdout">;

function start(args: readonly string[], options: GitOptions): { child: ChildProcess; done: Promise<Ended> } {
  const mode = options.config ?? "pinned";
  const argv = ["git", ...configArguments[mode], ...locations(options), ...args];
  const [program = "", ...rest] = options.enter?.(argv) ?? argv;
  const child = spawn(program, rest, {
    cwd: options.cwd ?? options.gitDir ?? "/",
    env: environmentOf(mode, options),
    // Ctrl-C reaches every process of the terminal's group; Stint handles it and decides what git may finish.
    // A commit of the user's own stays with the terminal, because hooks and the signing program may prompt there.
    detached: mode !== "own",
    stdio: [options.stdin === undefined ? "ignore" : "pipe", "pipe", "pipe"],
    ...(options.signal && mode !== "remote" ? { signal: options.signal, killSignal: "SIGKILL" as const } : {}),
  });
  if (mode === "remote") endGroupOnAbort(child, options.signal);
  feed(child, options.stdin);
  const stderr = collect(child.stderr, gitLimits.gitStderrBytesMax, () => undefined);
  return { child, done: ended(child, mode).then((code) => ({ code, stderr: stderr.bytes().toString("utf8") })) };
}

function locations(options: GitOptions): string[] {
  return [
    ...(options.gitDir === undefined ? [] : [`--git-dir=${options.gitDir}`]),
    ...(options.workTree === undefined ? [] : [`--work-tree=${options.workTree}`]),
  ];
}

function environmentOf(mode: ConfigMode, options: GitOptions): Record<string, string> {
  const index = options.index === undefined ? {} : { GIT_INDEX_FILE: options.index };
  return { ...gitEnvironment(mode), ...index, ...options.env };
}

function feed(child: ChildProcess, stdin: GitOptions["stdin"]): void {
  if (!child.stdin || stdin === undefined) return;
  // Git may exit before it has read everything; its exit code counts, not EPIPE.
  child.stdin.on("error", () => undefined);
  if (typeof stdin === "string" || stdin instanceof Uint8Array) child.stdin.end(stdin);
  else stdin.pipe(child.stdin);
}

async function ended(child: ChildProcess, mode: ConfigMode): Promise<number> {
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (exit) => resolve(exit ?? 128));
    // A user's hook, or ssh that shares its connection, may leave a daemon that holds the pipes for ever, so only these
    // modes do not wait for the end of the output.
    if (mode === "own" || mode === "remote") child.on("exit", (exit) => leaveSoon(child, () => resolve(exit ?? 128)));
  });
}

function leaveSoon(child: ChildProcess, done: () => void): void {
  setTimeout(() => {
    child.stdout?.destroy();
    child.stderr?.destroy();
    done();
  }, baseLimits.outputDrainMs);
}

/** Kills git with its children on abort: a transport that hangs is a child of git, and would keep our pipes open. */
function endGroupOnAbort(child: ChildProcess, signal: AbortSignal | undefined): void {
  const { pid } = child;
  if (signal === undefined || pid === undefined) return;
  const end = () => {
    try {
      process.kill(-pid, "SIGKILL");
    } catch {
      // It has just exited by itself.
    }
  };
  child.on("exit", () => signal.removeEventListener("abort", end));
  if (signal.aborted) end();
  else signal.addEventListener("abort", end, { once: true });
}

interface Collected {
  readonly bytes: () => Buffer;
  readonly overflowed: () => boolean;
}

function collect(stream: Readable | null, bytesMax: number, onOverflow: () => void): Collected {
  const chunks: Buffer[] = [];
  let size = 0;
  stream?.on("data", (chunk: Buffer) => {
    if (size <= bytesMax) chunks.push(chunk);
    size += chunk.length;
    if (size > bytesMax) onOverflow();
  });
  return { bytes: () => Buffer.concat(chunks).subarray(0, bytesMax), overflowed: () => size > bytesMax };
}
