import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Check, RunCheck } from "../../../src/plan/types.ts";
import { noSandbox } from "../../../src/sandbox/sandbox.ts";
import { type CheckContext, type CheckResult, evaluateCheck } from "../../../src/checks/evaluate-check.ts";

let folder: string;
let root: string;

beforeEach(() => {
  folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "check-")));
  root = path.join(folder, "root");
  fs.mkdirSync(root);
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  fs.rmSync(folder, { recursive: true });
});

test("a command is green at exit 0 and red at any other", async () => {
  expect(await run("echo fine")).toMatchObject({
    label: "echo fine",
    kind: "run",
    state: "green",
    exitCode: 0,
    tail: "fine\n",
  });
  expect(await run("echo no; exit 1")).toMatchObject({ state: "red", exitCode: 1, why: "exit 1", tail: "no\n" });
  expect(await run("exit 125")).toMatchObject({ state: "red", exitCode: 125 });
  const killed = await run("kill -KILL $$");
  expect(killed).toMatchObject({ state: "red", why: "killed by SIGKILL" });
  expect(killed.exitCode).toBeUndefined();
});

test("a command that cannot be asked is broken, and says the cure", async () => {
  const missing = await run("no-such-tool --version");
  expect(missing).toMatchObject({ state: "broken", exitCode: 127 });
  expect(missing.why).toMatch(/^command not found \(exit 127\): .*no-such-tool.*\. Install it in the workspace set-up/);
  fs.writeFileSync(path.join(root, "plain"), "#!/bin/sh\n");
  const plain = await run("./plain");
  expect(plain).toMatchObject({ state: "broken", exitCode: 126 });
  expect(plain.why).toMatch(/^command cannot be executed \(exit 126\): .* Make it executable/);
  fs.chmodSync(path.join(root, "plain"), 0o755);
  expect(await run("./plain")).toMatchObject({ state: "green" });
});

test("a script whose first line ends in CRLF is broken by that, and not because it is missing", async () => {
  fs.mkdirSync(path.join(root, "bin"));
  fs.writeFileSync(path.join(root, "bin/check.sh"), "#!/bin/sh\r\nexit 0\r\n", { mode: 0o755 });
  const why =
    "the first line of bin/check.sh ends in CRLF, so its interpreter is not found (exit 127). Save it with LF line ends and commit it.";
  for (const line of ["bin/check.sh", "cd bin && ./check.sh", "CI=1 timeout 60 ./bin/check.sh"])
    expect(await run(line), line).toMatchObject({ state: "broken", exitCode: 127, why });
  expect((await run("no-such-tool bin/check.sh")).why).toMatch(/^command not found/);
  fs.writeFileSync(path.join(root, "bin/check.sh"), "#!/bin/sh\nexit 0 # \r\n");
  expect(await run("bin/check.sh")).toMatchObject({ state: "green" });
});

test("a timeout and an interruption are broken", async () => {
  expect(await run("exec sleep 1000", { timeoutMs: 100 })).toMatchObject({
    state: "broken",
    why: "did not end within 0.1 s. Raise the check's `timeout:`, or make the command end by itself.",
  });
  const interrupted = await evaluateCheck(command("exit 0"), context({ signal: AbortSignal.abort() }));
  expect(interrupted).toMatchObject({ state: "broken", why: "interrupted before it ended. Run it again." });
});

test("a command runs in its folder inside the checkout, with its variables", async () => {
  fs.mkdirSync(path.join(root, "sub"));
  const result = await run('echo "$PWD $MODE"', { cwd: "sub", env: { MODE: "fast" } });
  expect(result).toMatchObject({ state: "green", tail: `${root}/sub fast\n` });
});

test("a folder outside the checkout is broken, also through a link", async () => {
  fs.symlinkSync(folder, path.join(root, "out"));
  for (const cwd of ["..", "/", "out", "missing"]) {
    expect(await run("echo > ran", { cwd })).toMatchObject({
      state: "broken",
      why: `cwd ${cwd} is not a folder inside the checkout. Correct it in the check.`,
    });
  }
  expect(fs.existsSync(path.join(folder, "ran"))).toBe(false);
});

test("a check that no machine could start is broken", async () => {
  expect(await run(`# ${"x".repeat(3_000_000)}`)).toMatchObject({
    state: "broken",
    why: "could not be started: The command is too long for the system. Correct the check.",
  });
  expect(await run("exit 0", { env: { BAD: "a\0b" } })).toMatchObject({ state: "broken" });
});

test("a folder that cannot be entered is broken", async () => {
  const sub = path.join(root, "sub");
  fs.mkdirSync(sub);
  const access = fs.accessSync;
  // Mocked, because nothing is closed to a superuser.
  vi.spyOn(fs, "accessSync").mockImplementation((file, mode) => {
    if (file === sub) throw Object.assign(new Error("EACCES"), { code: "EACCES" });
    access(file, mode);
  });
  expect(await run("exit 0", { cwd: "sub" })).toMatchObject({ state: "broken" });
});

test("a check that ended by itself while Stint was being stopped is interrupted", async () => {
  const pipe = path.join(folder, "go");
  execFileSync("mkfifo", [pipe]);
  const stop = new AbortController();
  // Not heard while it runs: as if the abort came just after its end.
  vi.spyOn(stop.signal, "addEventListener").mockReturnValue();
  const running = evaluateCheck(command(`read _ < ${pipe}; exit 0`), context({ signal: stop.signal }));
  const go = await fs.promises.open(pipe, "w");
  stop.abort();
  await go.close();
  expect(await running).toMatchObject({ state: "broken", why: "interrupted before it ended. Run it again." });
});

test("exists", async () => {
  fs.mkdirSync(path.join(root, "src"));
  fs.writeFileSync(path.join(root, "src", "a.ts"), "");
  fs.symlinkSync("src/a.ts", path.join(root, "inside"));
  fs.symlinkSync("/etc/passwd", path.join(root, "outside"));
  fs.symlinkSync("/etc", path.join(root, "folder"));
  fs.symlinkSync("nowhere", path.join(root, "dangling"));
  execFileSync("mkfifo", [path.join(root, "pipe")]);
  expect(await fact({ kind: "exists", path: "src/a.ts" })).toMatchObject({ label: "exists: src/a.ts", state: "green" });
  expect(await states("exists", ["src", "inside", "."])).toEqual(["green", "green", "green"]);
  expect(await states("exists", ["missing", "src/a.ts/x", "outside", "folder/passwd", "dangling", "pipe"])).toEqual(
    Array.from({ length: 6 }, () => "red"),
  );
  expect(await states("exists", ["../root/src", "/etc/passwd"])).toEqual(["broken", "broken"]);
});

test("absent", async () => {
  fs.writeFileSync(path.join(root, "file"), "");
  fs.symlinkSync("nowhere", path.join(root, "dangling"));
  fs.symlinkSync(folder, path.join(root, "folder"));
  expect(await states("absent", ["missing", "missing/too", "file/below"])).toEqual(["green", "green", "green"]);
  expect(await states("absent", ["file", "dangling", "folder/missing", "folder/missing/too"])).toEqual(
    Array.from({ length: 4 }, () => "red"),
  );
  expect(await states("absent", ["../missing"])).toEqual(["broken"]);
});

test("contains", async () => {
  fs.writeFileSync(path.join(root, "index.ts"), 'export * from "./auth.ts"; // größer\n');
  fs.writeFileSync(path.join(folder, "secret"), "auth");
  fs.symlinkSync("../secret", path.join(root, "outside"));
  fs.symlinkSync("index.ts", path.join(root, "inside"));
  execFileSync("mkfifo", [path.join(root, "pipe")]);
  fs.writeFileSync(path.join(root, "huge"), "");
  fs.truncateSync(path.join(root, "huge"), 20_000_001);
  expect(await containing("index.ts", "größer")).toBe("green");
  expect(await containing("inside", "auth")).toBe("green");
  expect(await containing("index.ts", "Auth")).toBe("red");
  for (const file of ["missing", "outside", "pipe", "huge", "."])
    expect(await containing(file, "auth"), file).toBe("red");
});

test("a judge's question is not asked here", async () => {
  const check: Check = { kind: "judge", question: "Nice?", red: false, at };
  await expect(evaluateCheck(check, context())).rejects.toThrow("Internal error");
});

const at = { line: 1, column: 1 };

function command(run: string, options: Partial<RunCheck> = {}): RunCheck {
  return { kind: "run", run, timeoutMs: 50_000, env: {}, cwd: ".", network: false, red: true, at, ...options };
}

function context(options: Partial<CheckContext> = {}): CheckContext {
  const env = { PATH: process.env["PATH"] ?? "" };
  const enclosure = noSandbox.enclose({ workspace: root, home: folder, visible: [], network: false });
  const place = { tree: [root], within: root, enclosure, env, logFile: path.join(folder, "log") } as const;
  return { ...place, signal: new AbortController().signal, ...options };
}

async function run(line: string, options: Partial<RunCheck> = {}): Promise<CheckResult> {
  return evaluateCheck(command(line, options), context());
}

async function fact(
  check: { kind: "exists" | "absent"; path: string } | { kind: "contains"; path: string; text: string },
): Promise<CheckResult> {
  return evaluateCheck({ ...check, red: true, at }, context());
}

async function containing(file: string, text: string): Promise<string> {
  return (await fact({ kind: "contains", path: file, text })).state;
}

async function states(kind: "exists" | "absent", paths: readonly string[]): Promise<string[]> {
  return Promise.all(paths.map(async (path) => (await fact({ kind, path })).state));
}
