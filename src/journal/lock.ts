import { dirname } from "node:path";
import { localStamp } from "../base/local-time.ts";
import { fail, ok, systemReason, type Failure, type Result } from "../base/result.ts";
import type { FilePort } from "./file-port.ts";
import { attempt, ioErrorOf, writeWhole } from "./io.ts";
import { realLockPort } from "./flock.ts";

/** The text in the lock file is for people; only the kernel's lock decides. */
export interface LockHolder {
  readonly pid: number;
  readonly startTime: string;
  readonly host: string;
  readonly since: string;
  readonly purpose: string;
}

/** `locked` means the descriptor's open file now carries the kernel's lock. */
export type FlockOutcome = "locked" | "held" | { readonly unavailable: string };

/** What the lock needs from the machine; a simulator brings its own. */
export interface LockPort {
  readonly files: FilePort;
  flock(fd: number): FlockOutcome;
  self(): Omit<LockHolder, "purpose">;
  /** Tells a running process from a later one with the same pid; undefined when there is none. */
  startTimeOf(pid: number): string | undefined;
  /** Returns a running process that still has a removed file of that name open, as far as this machine shows it. */
  holderOfRemoved(path: string): number | undefined;
}

export interface Lock {
  /** Frees the lock and keeps the file: unlinking it would let two processes lock two files of one name. */
  release(): void;
}

export type LockFailure = Failure<"held" | "unavailable">;

/** Takes the lock or says who has it; the kernel frees it when this process dies, however it dies. */
export function acquireLock(
  path: string,
  options: { readonly purpose: string },
  port: LockPort = realLockPort,
): Result<Lock, LockFailure> {
  try {
    const fd = port.files.open(path, "append");
    let failure: LockFailure | undefined = { reason: "unavailable", message: `${path} cannot be locked.` };
    try {
      failure = tryLock(port, path, fd);
    } finally {
      if (failure !== undefined) attempt(() => port.files.close(fd));
    }
    if (failure !== undefined) return { ok: false, failure };
    // A full disk must not keep a person from resuming or stopping a run, so writing the text may fail.
    attempt(() => signLock(port, fd, options.purpose));
    return ok(lockOf(port.files, fd));
  } catch (error) {
    return fail("unavailable", whyUnavailable(path, error));
  }
}

/** The advice for a full or read-only disk comes with every system error. */
function whyUnavailable(path: string, error: unknown): string {
  const { code, message } = ioErrorOf(error);
  if (code !== "EACCES" && code !== "EPERM") return `${path} cannot be locked: ${message}.`;
  return `${path} cannot be locked: ${systemReason(error)}. Give your user write access to it and to ${dirname(path)}, then try again.`;
}

/** Returns who signed the lock and still runs, for people; only acquireLock finds out whether the lock is free. */
export function lockHolder(path: string, port: LockPort = realLockPort): LockHolder | undefined {
  const holder = readHolder(port.files, path);
  return holder !== undefined && isRunning(port, holder) ? holder : undefined;
}

function tryLock(port: LockPort, path: string, fd: number): LockFailure | undefined {
  const outcome = port.flock(fd);
  if (outcome === "held") return { reason: "held", message: `${path} is locked ${whoHolds(port, path)}` };
  if (outcome !== "locked")
    return { reason: "unavailable", message: `${path} cannot be locked: ${outcome.unavailable}` };
  if (port.files.stat(path)?.ino === port.files.fstat(fd).ino) return undefined;
  return { reason: "unavailable", message: `${path} was replaced or removed while it was being locked. Try again.` };
}

function signLock(port: LockPort, fd: number, purpose: string): void {
  const { pid, startTime, host, since } = port.self();
  port.files.ftruncate(fd, 0);
  writeWhole(port.files, fd, Buffer.from(`${JSON.stringify({ pid, startTime, host, since, purpose })}\n`));
}

function lockOf(files: FilePort, fd: number): Lock {
  let released = false;
  return {
    release() {
      if (released) return;
      released = true;
      attempt(() => files.ftruncate(fd, 0));
      files.close(fd);
    },
  };
}

function whoHolds(port: LockPort, path: string): string {
  const holder = lockHolder(path, port);
  if (holder === undefined) return "by a process that has not signed yet. Try again.";
  const { pid, host, since, purpose } = holder;
  return `by process ${pid} on ${host} since ${localStamp(since)}: ${purpose}. Wait for it, or stop it.`;
}

function readHolder(files: FilePort, path: string): LockHolder | undefined {
  try {
    const holder: Partial<LockHolder> | null = JSON.parse(files.readFile(path).toString());
    return typeof holder?.pid === "number" ? (holder as LockHolder) : undefined;
  } catch (error) {
    if (!(error instanceof SyntaxError)) ioErrorOf(error);
    return undefined;
  }
}

/** Whether the holder still runs: one killed with -9 leaves its text, which the next holder replaces a moment after it has the lock. */
function isRunning(port: LockPort, holder: LockHolder): boolean {
  return holder.host !== port.self().host || port.startTimeOf(holder.pid) === holder.startTime;
}
