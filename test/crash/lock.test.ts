import { localStamp } from "../../src/base/local-time.ts";
import { spawn, type ChildProcessByStdio } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { build } from "esbuild";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { realFiles } from "../../src/journal/file-port.ts";
import { realLockPort } from "../../src/journal/flock.ts";
import { acquireLock, lockHolder, type Lock, type LockHolder, type LockPort } from "../../src/journal/lock.ts";
import type { Result } from "../../src/base/result.ts";

/** Tries the lock, says how it went, and holds it until its input ends; each further line of input releases it and tries again. */
const script = `
  import { spawn } from "node:child_process";
  import { createInterface } from "node:readline";
  import { acquireLock } from "${join(import.meta.dirname, "../../src/journal/lock.ts")}";
  const [path, mode] = process.argv.slice(2);
  let result;
  const contend = () => {
    result = acquireLock(path, { purpose: "stint run demo" });
    const child = mode === "child" ? spawn("sleep", ["600"], { detached: true, stdio: "ignore" }).pid : undefined;
    process.stdout.write(JSON.stringify({ ...result, child }) + "\\n");
  };
  const release = () => {
    if (result.ok) result.value.release();
    process.stdout.write("{}\\n");
  };
  const input = createInterface({ input: process.stdin });
  input.on("line", (line) => (line === "release" ? release() : contend()));
  input.on("close", () => process.exit());
  contend();
`;

interface Answer {
  readonly ok: boolean;
  readonly failure?: { readonly reason: string; readonly message: string };
  readonly child?: number;
}

interface Contender {
  readonly process: ChildProcessByStdio<Writable, Readable, null>;
  readonly answer: Answer;
  readonly ask: (command: "release" | "contend") => Promise<Answer>;
}

let scripts: string;
let folder: string;
let path: string;
const started = new Set<Contender["process"]>();

beforeAll(async () => {
  scripts = mkdtempSync(join(tmpdir(), "stint-lock-script-"));
  const outfile = join(scripts, "contend.mjs");
  const stdin = { contents: script, resolveDir: import.meta.dirname, loader: "ts" as const };
  await build({ stdin, outfile, bundle: true, platform: "node", format: "esm", target: "node20" });
});

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "stint-lock-"));
  path = join(folder, "demo.lock");
});

afterEach(async () => {
  vi.unstubAllEnvs();
  await Promise.all(Array.from(started, (child) => end(child, "SIGKILL")));
  rmSync(folder, { recursive: true });
});

afterAll(() => rmSync(scripts, { recursive: true }));

test("the loser is told which process holds the lock, since when and for what", async () => {
  const winner = await contend();
  expect(winner.answer.ok).toBe(true);
  const holder = JSON.parse(readFileSync(path, "utf8")) as LockHolder;
  expect(holder).toEqual({
    pid: winner.process.pid,
    startTime: realLockPort.startTimeOf(winner.process.pid!),
    host: hostname(),
    since: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    purpose: "stint run demo",
  });
  const who = `process ${holder.pid} on ${hostname()} since ${localStamp(holder.since)}: stint run demo`;
  const message = `${path} is locked by ${who}. Wait for it, or stop it.`;
  expect((await contend()).answer).toEqual({ ok: false, failure: { reason: "held", message } });
  expect(acquireLock(path, { purpose: "test" })).toEqual({ ok: false, failure: { reason: "held", message } });
});

test("release frees the lock and keeps the file, and releasing twice is harmless", () => {
  const lock = unwrap(acquireLock(path, { purpose: "one" }));
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(acquireLock(path, { purpose: "two" }).ok).toBe(false);
  lock.release();
  expect(readFileSync(path, "utf8")).toBe("");
  const next = unwrap(acquireLock(path, { purpose: "two" }));
  lock.release();
  expect(acquireLock(path, { purpose: "three" }).ok).toBe(false);
  next.release();
});

test("kill -9 frees the lock", async () => {
  const holder = await contend();
  expect(acquireLock(path, { purpose: "test" }).ok).toBe(false);
  await end(holder.process, "SIGKILL");
  unwrap(acquireLock(path, { purpose: "test" })).release();
});

test("the holder can be looked up without touching the lock, until it dies or releases", async () => {
  expect(lockHolder(path)).toBeUndefined();
  const holder = await contend();
  expect(lockHolder(path)?.pid).toBe(holder.process.pid);
  await end(holder.process, "SIGKILL");
  expect(readFileSync(path, "utf8")).not.toBe("");
  expect(lockHolder(path)).toBeUndefined();
  const lock = unwrap(acquireLock(path, { purpose: "test" }));
  expect(lockHolder(path)?.purpose).toBe("test");
  lock.release();
  expect(lockHolder(path)).toBeUndefined();
});

test("a stopped holder still holds", async () => {
  const holder = await contend();
  holder.process.kill("SIGSTOP");
  const refused = acquireLock(path, { purpose: "test" });
  expect(refused.ok ? undefined : refused.failure.reason).toBe("held");
  expect((await contend()).answer.failure?.message).toContain(`by process ${holder.process.pid} on `);
});

test("a child of the holder does not inherit the lock", async () => {
  const holder = await contend("child");
  const child = holder.answer.child!;
  try {
    expect(acquireLock(path, { purpose: "test" }).ok).toBe(false);
    await end(holder.process, "SIGKILL");
    expect(process.kill(child, 0)).toBe(true);
    unwrap(acquireLock(path, { purpose: "test" })).release();
  } finally {
    process.kill(child, "SIGKILL");
  }
});

test("of five processes started at once exactly one wins", async () => {
  const contenders = await Promise.all(Array.from({ length: 5 }, () => contend()));
  expectOneWinner(contenders.map(({ answer }) => answer));
});

test("of two processes that try at once exactly one wins, a hundred times over", async () => {
  const pair = await Promise.all([contend(), contend()]);
  for (let round = 0; round < 100; round++) {
    await Promise.all(pair.map(({ ask }) => ask("release")));
    expectOneWinner(await Promise.all(pair.map(({ ask }) => ask("contend"))));
  }
});

test("without flock the cure is named, and a flock in a relative PATH entry is not run", () => {
  vi.stubEnv("PATH", `bin:.:${folder}`);
  const message = `${path} cannot be locked: flock was not found on PATH. Install util-linux.`;
  expect(acquireLock(path, { purpose: "test" })).toEqual({ ok: false, failure: { reason: "unavailable", message } });
});

test("a flock that fails for another reason is not taken for a held lock", () => {
  const program = join(folder, "flock");
  writeFileSync(program, "#!/bin/sh\necho 'flock: 3: No locks available' >&2\nexit 71\n", { mode: 0o755 });
  vi.stubEnv("PATH", folder);
  const why = `${program} failed: flock: 3: No locks available. The state folder must be on a local file system.`;
  const message = `${path} cannot be locked: ${why}`;
  expect(acquireLock(path, { purpose: "test" })).toEqual({ ok: false, failure: { reason: "unavailable", message } });
});

test("a lock file that cannot be opened says why", () => {
  mkdirSync(path);
  const refused = acquireLock(path, { purpose: "test" });
  expect(refused.ok ? undefined : refused.failure).toEqual({
    reason: "unavailable",
    message: expect.stringContaining(`${path} cannot be locked: EISDIR`),
  });
});

test("a lock file that may not be written says what to give access to", () => {
  const denied = Object.assign(new Error(`EACCES: permission denied, open '${path}'`), { code: "EACCES" });
  const open = () => {
    throw denied;
  };
  const port: LockPort = { ...realLockPort, files: { ...realLockPort.files, open } };
  const message = `${path} cannot be locked: permission denied. Give your user write access to it and to ${folder}, then try again.`;
  expect(acquireLock(path, { purpose: "test" }, port)).toEqual({
    ok: false,
    failure: { reason: "unavailable", message },
  });
});

test("a holder that died, or has not signed yet, is never named", () => {
  const port: LockPort = { ...realLockPort, flock: () => "held" };
  const message = `${path} is locked by a process that has not signed yet. Try again.`;
  const dead = { pid: process.pid, startTime: "1", host: hostname(), since: "2026-11-15T20:17:33Z", purpose: "old" };
  for (const text of ["", "{", "null", JSON.stringify(dead)]) {
    writeFileSync(path, text);
    expect(acquireLock(path, { purpose: "test" }, port)).toEqual({ ok: false, failure: { reason: "held", message } });
  }
});

test("a lock on a file that has meanwhile lost its name is no lock", () => {
  const port: LockPort = { ...realLockPort, flock: () => (renameSync(path, `${path}.gone`), "locked") };
  const message = `${path} was replaced or removed while it was being locked. Try again.`;
  const refused = acquireLock(path, { purpose: "test" }, port);
  expect(refused).toEqual({ ok: false, failure: { reason: "unavailable", message } });
});

test("a full disk does not keep anyone from taking the lock", () => {
  const files = { ...realFiles, write: diskFull };
  const lock = unwrap(acquireLock(path, { purpose: "test" }, { ...realLockPort, files }));
  expect(acquireLock(path, { purpose: "test" }).ok).toBe(false);
  lock.release();
});

/** Starts a process that tries the lock, and waits for its answer. */
async function contend(mode = "plain"): Promise<Contender> {
  const child = spawn(process.execPath, [join(scripts, "contend.mjs"), path, mode], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  started.add(child);
  const lines = createInterface({ input: child.stdout });
  const nextAnswer = async () => JSON.parse(((await once(lines, "line")) as [string])[0]) as Answer;
  const answer = await nextAnswer();
  return {
    process: child,
    answer,
    ask: (command) => {
      child.stdin.write(`${command}\n`);
      return nextAnswer();
    },
  };
}

function expectOneWinner(answers: readonly Answer[]): void {
  expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
  const losers = answers.filter(({ ok }) => !ok);
  expect(losers.map(({ failure }) => failure?.reason)).toEqual(losers.map(() => "held"));
}

/** Ends a process and waits until the kernel has reaped it, for only then is its lock free. */
async function end(child: Contender["process"], signal: NodeJS.Signals): Promise<void> {
  started.delete(child);
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, "exit");
  child.kill(signal);
  await exited;
}

function diskFull(): never {
  throw Object.assign(new Error("ENOSPC: injected"), { code: "ENOSPC" });
}

function unwrap(result: Result<Lock>): Lock {
  if (!result.ok) throw new Error(result.failure.message);
  return result.value;
}
