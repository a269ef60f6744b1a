import { spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { ProcessIdentity } from "../../../src/engine/session.ts";
import { isAlive } from "../../../src/process/identity.ts";
import { readProcessStat } from "../../../src/process/table.ts";
import type { Ended, SuperviseOptions } from "../../../src/process/supervise.ts";
import { superviseScript } from "../../rig/supervised.ts";

let folder: string;

beforeEach(() => {
  folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "supervise-")));
});

afterEach(() => {
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

function writeProgram(file: string, script: string): void {
  fs.writeFileSync(file, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
}

async function run(script: string, options: Partial<SuperviseOptions> = {}): Promise<Ended> {
  return superviseScript(folder, script, options);
}
