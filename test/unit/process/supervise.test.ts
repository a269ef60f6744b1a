import { spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { ProcessIdentity } from "../../../src/engine/session.ts";
import { identify, isAlive } from "../../../src/process/identity.ts";
import { followFamily } from "../../../src/process/family.ts";
import { parseStat, readProcessStat } from "../../../src/process/table.ts";
import type { Ended, SuperviseOptions } from "../../../src/process/supervise.ts";
import { superviseScript } from "../../rig/supervised.ts";

let folder: string;

beforeEach(() => {
  folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "supervise-")));
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  fs.rmSync(folder, { recursive: true });
});

test("a held child never runs when it could not be recorded", async () => {
  let held: ProcessIdentity | undefined;
  const running = run("echo > ran", {
    started: async (identity) => {
      held = identity;
      throw new Error("disk full");
    },
  });

  await expect(running).rejects.toThrow("disk full");
  expect(fs.existsSync(path.join(folder, "ran"))).toBe(false);
  expect(isAlive(held!)).toBe(false);
});

test("control: a child that is not held has run by then", async () => {
  const child = spawn("sh", ["-c", "echo > ran"], { cwd: folder });
  await once(child, "exit");
  expect(fs.existsSync(path.join(folder, "ran"))).toBe(true);
});

test("a held child is alive, has run nothing, and runs under the recorded pid once released", async () => {
  let held: ProcessIdentity | undefined;
  const ended = await run("echo $$ > ran", {
    started: async (identity) => {
      held = identity;
      expect(isAlive(identity)).toBe(true);
      expect(fs.existsSync(path.join(folder, "ran"))).toBe(false);
    },
  });

  expect(ended.kind).toBe("exited");
  expect(Number(fs.readFileSync(path.join(folder, "ran"), "utf8"))).toBe(held!.pid);
});

test("an abort while the child is held runs nothing", async () => {
  const stop = new AbortController();
  const ended = await run("echo > ran", { signal: stop.signal, started: async () => stop.abort() });

  expect(ended.kind).toBe("aborted");
  expect(fs.existsSync(path.join(folder, "ran"))).toBe(false);
});

test("exit codes, signals and a missing program are told apart", async () => {
  expect(await run("exit 3")).toMatchObject({ kind: "exited", code: 3 });
  expect(await run("exit 127")).toMatchObject({ kind: "exited", code: 127 });
  expect(await run("kill -SEGV $$")).toMatchObject({ kind: "signalled", signal: "SIGSEGV" });
  expect(await run("", { argv: ["no-such-agent"], env: { PATH: "/usr/bin:.:/bin" } })).toMatchObject({
    kind: "spawn-failed",
    fault: "program",
    message: "no-such-agent was not found in /usr/bin:/bin.",
  });
  expect(await run("", { argv: ["./missing"] })).toMatchObject({
    fault: "program",
    message: `${folder}/missing does not exist.`,
  });
  expect(await run("", { cwd: `${folder}/gone` })).toMatchObject({
    kind: "spawn-failed",
    fault: "environment",
    message: `The working directory ${folder}/gone does not exist.`,
  });
  const unusable = { kind: "spawn-failed", fault: "command" };
  expect(await run("", { argv: ["sh", "a\0b"] })).toMatchObject(unusable);
  expect(await run("", { env: { PATH: "/bin", BAD: "a\0b" } })).toMatchObject(unusable);
  expect(await run(`# ${"x".repeat(3_000_000)}`)).toMatchObject(unusable);
});

test("a machine on which nothing can be prepared is at fault itself", async () => {
  const environment = { kind: "spawn-failed", fault: "environment" };
  const env = { PATH: process.env["PATH"] ?? "" };
  vi.stubEnv("PATH", folder);
  expect(await run("exit 0", { env })).toMatchObject({
    ...environment,
    message: expect.stringContaining("spawn mkfifo ENOENT"),
  });
  vi.stubEnv("TMPDIR", `${folder}/gone`);
  expect(await run("exit 0", { env })).toMatchObject({
    ...environment,
    message: expect.stringContaining(`cannot be prepared in ${folder}/gone: ENOENT`),
  });
});

test("a lack of space or descriptors is reported with its cure, and no descriptor is lost", async () => {
  const open = fs.openSync;
  for (const [code, cure] of Object.entries({ ENOSPC: "Free some disk space.", EMFILE: "Raise the limit" })) {
    const opened: number[] = [];
    vi.spyOn(fs, "openSync").mockImplementation((file, flags, mode) => {
      if (path.basename(String(file)) === "output") throw Object.assign(new Error(`${code}: no more`), { code });
      const fd = open(file, flags, mode);
      opened.push(fd);
      return fd;
    });
    const close = vi.spyOn(fs, "closeSync");
    expect(await run("exit 0", { stdin: "prompt" })).toMatchObject({
      kind: "spawn-failed",
      fault: "environment",
      message: expect.stringContaining(`: ${code}: no more. ${cure}`),
    });
    expect(opened.length).toBeGreaterThan(1);
    expect(close.mock.calls.flat()).toEqual(expect.arrayContaining(opened));
    vi.restoreAllMocks();
  }
});

test("what fails to start while Stint is being stopped was stopped", async () => {
  const stop = new AbortController();
  vi.stubEnv("TMPDIR", `${folder}/gone`);
  const running = run("exit 0", { signal: stop.signal });
  stop.abort();
  expect(await running).toMatchObject({ kind: "aborted" });
});

test("a helper is not looked up in the current folder, and Ctrl-C at the terminal does not reach it", async () => {
  const [shipped, installed] = ["repo", "bin"].map((name) => path.join(folder, name)) as [string, string];
  for (const dir of [shipped, installed]) fs.mkdirSync(dir);
  const systemPath = process.env["PATH"] ?? "";
  writeProgram(path.join(shipped, "mkfifo"), `echo > ${folder}/fired; PATH=${systemPath} exec mkfifo "$@"`);
  const recordGroup = `cut -d " " -f 5 < /proc/$$/stat > ${folder}/group`;
  writeProgram(path.join(installed, "mkfifo"), `PATH=${systemPath}; ${recordGroup}; exec mkfifo "$@"`);
  vi.stubEnv("PATH", `.:${installed}:${systemPath}`);
  const cwd = process.cwd();
  process.chdir(shipped);
  try {
    expect(await run("exit 0", { env: { PATH: systemPath } })).toMatchObject({ kind: "exited", code: 0 });
  } finally {
    process.chdir(cwd);
  }
  expect(fs.existsSync(path.join(folder, "fired"))).toBe(false);
  const group = Number(fs.readFileSync(path.join(folder, "group"), "utf8"));
  expect(group).toBeGreaterThan(0);
  expect(group).not.toBe(readProcessStat(process.pid)?.group);
});

test("the environment is exactly the one given", async () => {
  const env = { PATH: process.env["PATH"] ?? "", ONLY: "this" };
  const ended = await run("", { argv: ["env"], env });
  expect(ended.tail.trim().split("\n").toSorted()).toEqual(["ONLY=this", `PATH=${env.PATH}`]);
});

test("arguments arrive as they are", async () => {
  const argv = [
    process.execPath,
    "-p",
    "JSON.stringify(process.argv.slice(1))",
    "--",
    "$(x)",
    "a b",
    "",
    "-n",
    "é\n'\"",
  ];
  expect(JSON.parse((await run("", { argv })).tail)).toEqual(argv.slice(4));
});

test("a prompt of 10 MB arrives whole", async () => {
  expect((await run("wc -c", { stdin: "x".repeat(10_000_000) })).tail.trim()).toBe("10000000");
});

test("a child that never reads a prompt of 10 MB ends as usual", async () => {
  expect(await run("exec <&-; exit 4", { stdin: "x".repeat(10_000_000) })).toMatchObject({ kind: "exited", code: 4 });
});

test("control: the same prompt through a plain pipe raises EPIPE", async () => {
  const child = spawn("sh", ["-c", "exec <&-; exit 4"], { stdio: ["pipe", "ignore", "ignore"] });
  child.stdin.write("x".repeat(10_000_000));
  const [error] = (await once(child.stdin, "error")) as [NodeJS.ErrnoException];
  expect(error.code).toMatch(/EPIPE|ECONNRESET/);
});

test("standard streams can be opened by name, in the order they were written", async () => {
  const ended = await run("cat /dev/stdin; echo two >/dev/stderr; echo three >/dev/stdout", { stdin: "one\n" });
  expect(ended).toMatchObject({ kind: "exited", code: 0, tail: "one\ntwo\nthree\n" });
});

test("control: a socket, as Node connects a child, cannot be opened by name", async () => {
  const child = spawn("sh", ["-c", "echo two >/dev/stderr"]);
  const [code] = (await once(child, "exit")) as [number];
  expect(code).not.toBe(0);
});

test("an end by wall time is reported, also when the child ignores INT and TERM", async () => {
  const ended = await run('trap "" INT TERM; while :; do sleep 0.01; done', { wallMsMax: 100, stopLadderStepMs: 20 });
  expect(ended).toMatchObject({ kind: "timeout", survivors: [] });
});

test("a limit longer than a timer can hold does not end the child at once", async () => {
  expect(await run("exit 5", { wallMsMax: 10_000_000_000 })).toMatchObject({ kind: "exited", code: 5 });
});

test("a jump of the wall clock ends no child", async () => {
  const ended = await run("sleep 0.3; exit 6", {
    wallMsMax: 40_000,
    idleMsMax: 20_000,
    started: async () => {
      const real = Date.now();
      vi.spyOn(Date, "now").mockImplementation(() => real + 86_400_000);
    },
  });
  expect(ended).toMatchObject({ kind: "exited", code: 6 });
});

test("a child without output and without processor time is idle", async () => {
  expect(await run("exec sleep 1000", { idleMsMax: 200, stopLadderStepMs: 20 })).toMatchObject({ kind: "idle" });
});

test("a silent child that computes is not idle", async () => {
  const compute =
    "const used = () => { const { user, system } = process.cpuUsage(); return user + system; }; while (used() < 2_000_000);";
  const ended = await run("", { argv: [process.execPath, "-e", compute], idleMsMax: 1_000 });
  expect(ended).toMatchObject({ kind: "exited", code: 0, tail: "" });
});

test("a silent child that only polls is idle, and one that works half the time is not", async () => {
  const poll = (busyMs: number): string =>
    `setInterval(() => { const until = performance.now() + ${busyMs}; while (performance.now() < until); }, 100)`;
  const [polling, working] = await Promise.all(
    [2, 50].map((busyMs) =>
      run("", {
        argv: [process.execPath, "-e", poll(busyMs)],
        logFile: path.join(folder, `${busyMs}.log`),
        idleMsMax: 2_400,
        wallMsMax: 4_000,
        stopLadderStepMs: 20,
      }),
    ),
  );
  expect(polling).toMatchObject({ kind: "idle" });
  expect(working).toMatchObject({ kind: "timeout" });
});

test("processor time of a grandchild counts, and a sleeping family shows none", async () => {
  const busy = spawn("sh", ["-c", "(while :; do :; done) & wait"], { detached: true, stdio: "ignore" });
  const calm = spawn("sleep", ["1000"], { detached: true, stdio: "ignore" });
  const [busyFamily, calmFamily] = [followFamily(identify(busy.pid!)!), followFamily(identify(calm.pid!)!)];
  while (busyFamily.look().ticks === 0 || busyFamily.look().members.length < 2) await new Promise(setImmediate);
  calmFamily.look();

  expect(calmFamily.look().ticks).toBe(0);
  process.kill(-busy.pid!, "SIGKILL");
  process.kill(-calm.pid!, "SIGKILL");
});

test("an identity does not outlive its process, its pid or its boot", async () => {
  const child = spawn("sleep", ["1000"], { stdio: "ignore" });
  const identity = identify(child.pid!)!;
  expect(isAlive(identity)).toBe(true);
  expect(isAlive({ ...identity, startTime: `${Number(identity.startTime) - 1}` })).toBe(false);
  expect(isAlive({ ...identity, bootId: "00000000-0000-0000-0000-000000000000" })).toBe(false);

  child.kill("SIGKILL");
  await once(child, "exit");
  expect(isAlive(identity)).toBe(false);
  expect(identify(child.pid!)).toBeUndefined();
});

test("a zombie counts as dead", async () => {
  // The parent never waits for its child, because it has become another program.
  const parent = spawn("sh", ["-c", "sh -c 'echo $$; read _' <&3 & exec sleep 1000"], {
    stdio: ["ignore", "pipe", "ignore", "pipe"],
  });
  const [line] = (await once(parent.stdout!, "data")) as [Buffer];
  const identity = identify(Number(line))!;
  expect(isAlive(identity)).toBe(true);
  (parent.stdio[3] as import("node:net").Socket).end("\n");
  while (isAlive(identity)) await new Promise(setImmediate);

  expect(identify(identity.pid)).toEqual(identity);
  parent.kill("SIGKILL");
});

test("a program name with spaces and parentheses does not shift the fields", () => {
  const fields = "S 7 8 9 0 -1 4194560 1 2 3 4 10 20 30 40 20 0 6 0 987654 1 3 3";
  expect(parseStat(5, `5 (a) R (b c) ${fields}\n`)).toEqual({
    pid: 5,
    state: "S",
    parent: 7,
    group: 8,
    session: 9,
    cpuTicks: 100,
    startTime: "987654",
    threads: 6,
    residentBytes: 3 * 4096,
  });
});

function writeProgram(file: string, script: string): void {
  fs.writeFileSync(file, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
}

async function run(script: string, options: Partial<SuperviseOptions> = {}): Promise<Ended> {
  return superviseScript(folder, script, options);
}
