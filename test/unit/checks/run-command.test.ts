import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { runCommand, type RunCommandOptions } from "../../../src/checks/run-command.ts";
import { isRunning, readProcessStat } from "../../../src/process/table.ts";
import { noSandbox } from "../../../src/sandbox/sandbox.ts";

let folder: string;
let root: string;

beforeEach(() => {
  folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "command-")));
  root = path.join(folder, "root");
  fs.mkdirSync(root);
});

afterEach(() => {
  vi.unstubAllEnvs();
  fs.rmSync(folder, { recursive: true });
});

const env = { PATH: process.env["PATH"] ?? "" };

async function run(command: string, options: Partial<RunCommandOptions> = {}) {
  const enclosure = noSandbox.enclose({ workspace: root, home: folder, visible: [], network: false });
  const logFile = path.join(folder, "log");
  const { signal } = new AbortController();
  const rest = { enclosure, cwd: root, within: root, env, timeoutMs: 50_000, logFile, signal };
  return await runCommand({ command, ...rest, ...options });
}

test("a daemon that a command leaves behind is ended", async () => {
  const daemon = '(cd / && exec setsid sh -c \'echo $$ > "$0"; exec sleep 1000\' "$FILE") >/dev/null 2>&1 &';
  const wait = 'while [ ! -s "$FILE" ]; do sleep 0.01; done';
  const file = path.join(folder, "daemon.pid");
  expect(await run(`${daemon}\n${wait}`, { env: { ...env, FILE: file } })).toMatchObject({ kind: "exited", code: 0 });

  expect(isDaemonAlive(file)).toBe(false);
  // Control: without Stint the same command leaves its daemon behind.
  fs.rmSync(file);
  execFileSync("sh", ["-c", `${daemon}\n${wait}`], { env: { ...process.env, FILE: file }, cwd: root });
  expect(isDaemonAlive(file)).toBe(true);
  process.kill(readPid(file), "SIGKILL");
});

test("whoever stands in the room at the end is ended, though nothing else ties it to the command", async () => {
  fs.mkdirSync(path.join(root, "sub"));
  const file = path.join(folder, "writer.pid");
  const writer = `env -i PATH="$PATH" setsid sh -c 'echo $$ > ${file}; while :; do echo x > app.sh; sleep 0.01; done'`;
  const script = `(cd .. && exec ${writer}) >/dev/null 2>&1 &\nwhile [ ! -s ${file} ]; do sleep 0.01; done`;
  expect(await run(script, { cwd: path.join(root, "sub") })).toMatchObject({ kind: "exited", code: 0 });

  const survived = isDaemonAlive(file);
  if (survived) process.kill(readPid(file), "SIGKILL");
  expect(survived).toBe(false);
});

test("a machine that cannot start a command is an error that says how to fix it", async () => {
  await expect(run("exit 0", { logFile: root })).rejects.toThrow(
    /^A command cannot be started: The log cannot be written: illegal operation on a directory.* Then run Stint again\.$/,
  );
  vi.stubEnv("TMPDIR", path.join(folder, "gone"));
  await expect(run("exit 0")).rejects.toThrow("cannot be prepared");
  vi.unstubAllEnvs();
  expect(await run("exit 0")).toMatchObject({ kind: "exited", code: 0 });
});

test("each command has a mark of its own, and is not told that Stint runs it", async () => {
  const shown = async () => (await run("env | sort")).tail;
  const [one, other] = [await shown(), await shown()];
  expect(one).toMatch(/^ROOM_ID=[\da-f-]{36}$/m);
  expect(one).not.toBe(other);
  expect(`${one}${other}`).not.toMatch(/stint/i);
});

function readPid(file: string): number {
  return Number(fs.readFileSync(file, "utf8"));
}

function isDaemonAlive(file: string): boolean {
  const stat = readProcessStat(readPid(file));
  return stat !== undefined && isRunning(stat);
}
