import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { SessionRequest, SessionResult } from "../../../../src/agents/driver-kit/agent.ts";
import { commandDriver } from "../../../../src/agents/command/driver.ts";
import { agentEnvironment } from "../../../../src/process/environment.ts";
import { readReport, readUsage } from "../../../../src/agents/driver-kit/outbox.ts";
import { agentsLimits } from "../../../../src/agents/limits.ts";
import { sessionEnvironment, sessionRequest } from "../../../rig/session.ts";

let folder: string;
let outbox: string;

beforeEach(() => {
  folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "command-")));
  outbox = path.join(folder, "outbox");
  for (const name of ["outbox", "inbox", "workspace", "home"]) fs.mkdirSync(path.join(folder, name));
});

afterEach(() => fs.rmSync(folder, { recursive: true }));

test("exit 0 is a session that ended, with its report and usage", async () => {
  const result = await session(`
    cat > prompt.txt
    echo '{"status":"done","summary":"Added it","need_files":["src/x.ts"],"notes":null}' > $STINT_OUTBOX/report.json
    echo '{"input_tokens":1200,"output_tokens":30,"usd":0.25}' > $STINT_OUTBOX/usage.json`);

  expect(result).toEqual({
    outcome: { kind: "ok" },
    report: { status: "done", summary: "Added it", reason: "", needFiles: ["src/x.ts"], notes: "" },
    usage: { inputTokens: 1200, outputTokens: 30, usd: 0.25 },
    sessionId: null,
  });
  expect(fs.readFileSync(path.join(folder, "workspace", "prompt.txt"), "utf8")).toBe("Do the task.");
});

test("without a report the checks decide alone", async () => {
  expect(await session("echo working")).toEqual({
    outcome: { kind: "ok" },
    report: null,
    usage: { inputTokens: 0, outputTokens: 0, usd: 0 },
    sessionId: null,
  });
  expect(fs.readFileSync(path.join(folder, "output.log"), "utf8")).toBe("working\n");
});

test("exit 75 is a usage limit, until the reported time or none", async () => {
  expect(await outcomeOf("exit 75")).toEqual({ kind: "limit", until: null });
  expect(await outcomeOf(limitUntil('"2026-11-15T23:00:00Z"'))).toEqual(limit("2026-11-15T23:00:00.000Z"));
  expect(await outcomeOf(limitUntil('"2026-11-15T23:00:00+02:00"'))).toEqual(limit("2026-11-15T21:00:00.000Z"));
  for (const invalid of ['"tomorrow"', '"2026-13-45T99:00:00Z"', "5", "null", "{}", '"2026-11-15T23:00:00Z'])
    expect(await outcomeOf(limitUntil(invalid))).toEqual(limit(null));
});

test("any other end is a crash that quotes nothing of the output", async () => {
  expect(await outcomeOf("echo success; exit 3")).toEqual({ kind: "crashed", detail: "exit 3" });
  expect(await outcomeOf("kill -SEGV $$")).toEqual({ kind: "crashed", detail: "killed by SIGSEGV" });
});

test("an agent that cannot be started is an error that says how to fix it, not a session that failed", async () => {
  const workspace = path.join(folder, "workspace");
  await expect(session("", { command: ["./no-agent.sh"] })).rejects.toThrow(
    `The agent cannot be started: ${workspace}/no-agent.sh does not exist. Fix the program or PATH, then \`stint resume\`.`,
  );
  await expect(session("", { command: ["no-agent"], env: { PATH: "/usr/bin:/bin" } })).rejects.toThrow(
    "The agent cannot be started: no-agent was not found in /usr/bin:/bin.",
  );
  await expect(session("exit 0", { logFile: workspace })).rejects.toThrow(
    /^The agent cannot be started: The log cannot be written: EISDIR.* Then run `stint resume`\.$/,
  );
});

test("a session that ended by itself while Stint was being stopped is interrupted, however it ended", async () => {
  const pipe = path.join(folder, "go");
  execFileSync("mkfifo", [pipe]);
  for (const script of ["exit 0", "exit 3", "exit 75"]) {
    const stop = new AbortController();
    // Not heard while it runs: as if the abort came between its end and the reading of its outbox.
    vi.spyOn(stop.signal, "addEventListener").mockReturnValue();
    const running = outcomeOf(`read _ < ${pipe}; ${script}`, { signal: stop.signal });
    const go = await fs.promises.open(pipe, "w");
    stop.abort();
    await go.close();
    expect(await running).toEqual({ kind: "interrupted", detail: "stopped by Stint" });
  }
});

test("wall time, idleness and an abort are different outcomes", async () => {
  const wall = await outcomeOf("while :; do echo; sleep 0.01; done", { wallMsMax: 300 });
  expect(wall).toEqual({ kind: "timeout", detail: "it did not finish within 0.3 s" });
  const idle = await outcomeOf("exec sleep 1000", { idleMsMax: 200 });
  expect(idle).toEqual({ kind: "idle", detail: "no output and no CPU time for 0.2 s" });
  const aborted = await outcomeOf("exit 0", { signal: AbortSignal.abort() });
  expect(aborted).toEqual({ kind: "interrupted", detail: "stopped by Stint" });
});

test("a report that is not a report is a problem for the log and no claim", async () => {
  const malformed = {
    "not JSON": "{status: done}",
    "an unknown status": '{"status":"perfect"}',
    "no status": '{"summary":"x"}',
    "a wrong type": '{"status":"done","need_files":"src/x.ts"}',
    "files that are no names": '{"status":"done","need_files":["src/x.ts", 7]}',
    "100,000 files": JSON.stringify({ status: "blocked", need_files: Array.from({ length: 100_000 }, String) }),
    "a list": "[]",
    "an empty file": "",
    "2 MB": JSON.stringify({ status: "done", summary: "x".repeat(2_000_000) }),
  };
  for (const [what, text] of Object.entries(malformed)) {
    fs.writeFileSync(path.join(outbox, "report.json"), text);
    const { report, problem } = await readReport(outbox);
    expect(report, what).toBeNull();
    expect(problem, what).toMatch(/^report\.json: ./);
  }
  fs.writeFileSync(path.join(outbox, "report.json"), Buffer.from('{"status":"done","summary":"\xff"}', "latin1"));
  expect((await readReport(outbox)).problem).toMatch(/^report\.json: /);
  expect((await session("exit 0")).reportProblem).toMatch(/^report\.json: /);
});

test("a report may ask for a few files, and one file more is a problem", async () => {
  const files = Array.from({ length: agentsLimits.neededFilesMax }, (_, index) => `src/${index}.ts`);
  fs.writeFileSync(path.join(outbox, "report.json"), JSON.stringify({ status: "done", need_files: files }));
  expect((await readReport(outbox)).report?.needFiles).toEqual(files);
  fs.writeFileSync(path.join(outbox, "report.json"), JSON.stringify({ status: "done", need_files: [...files, "x"] }));
  expect(await readReport(outbox)).toEqual({
    report: null,
    problem: "report.json: report.need_files: more than 20 files; a task that needs more should be split",
  });
});

test("the message about a report that is no JSON quotes nothing of it, not even half a secret", async () => {
  fs.writeFileSync(path.join(outbox, "report.json"), "cnry-7Kq2x9Vz4Wm8-Lp3");
  expect((await readReport(outbox)).problem).toBe("report.json: not valid JSON");
});

test("a report is never read through a link; a plain read would have followed it", async () => {
  const secret = path.join(folder, "secret.json");
  fs.writeFileSync(secret, '{"status":"done","summary":"secret"}');
  fs.symlinkSync(secret, path.join(outbox, "report.json"));

  expect(await readReport(outbox)).toEqual({ report: null, problem: "report.json: not a regular file" });
  expect(fs.readFileSync(path.join(outbox, "report.json"), "utf8")).toContain("secret");
});

test("an outbox swapped for a link is not read", async () => {
  const elsewhere = path.join(folder, "elsewhere");
  fs.mkdirSync(elsewhere);
  fs.writeFileSync(path.join(elsewhere, "report.json"), '{"status":"done"}');
  expect((await readReport(elsewhere)).report?.status).toBe("done");

  fs.rmdirSync(outbox);
  fs.symlinkSync(elsewhere, outbox);
  expect(await readReport(outbox)).toEqual({
    report: null,
    problem: "report.json: the outbox is no longer a folder",
  });
});

test("a pipe or a folder in the outbox does not hang the reader; a plain read would hang", async () => {
  const pipe = path.join(outbox, "report.json");
  execFileSync("mkfifo", [pipe, path.join(outbox, "usage.json")]);
  expect(await readReport(outbox)).toEqual({ report: null, problem: "report.json: not a regular file" });
  expect(await readUsage(outbox)).toEqual({ inputTokens: 0, outputTokens: 0, usd: 0 });

  const plain = fs.promises.readFile(pipe);
  const writer = await openWhenSomebodyReads(pipe);
  fs.closeSync(writer);
  await plain;

  fs.rmSync(pipe);
  fs.mkdirSync(pipe);
  expect((await readReport(outbox)).problem).toBe("report.json: not a regular file");
});

test("numbers that cannot be true do not count", async () => {
  const usages = ['{"input_tokens":-5,"output_tokens":1e999,"usd":"3"}', '{"usd":1e300}', "[1]", "7", "null", "{"];
  for (const text of usages) {
    fs.writeFileSync(path.join(outbox, "usage.json"), text);
    expect(await readUsage(outbox), text).toEqual({ inputTokens: 0, outputTokens: 0, usd: 0 });
  }
});

const hostile = {
  NODE_OPTIONS: "--require ./evil.cjs",
  LD_PRELOAD: "./evil.so",
  BASH_ENV: "./evil.sh",
  GIT_DIR: "/elsewhere",
  GIT_SSH_COMMAND: "./evil.sh",
  STINT_TASK: "another",
  AWS_SECRET_ACCESS_KEY: "secret",
};

test("an agent's environment is a list of what is let through", () => {
  const userEnv = {
    ...hostile,
    PATH: "bin:/usr/bin::./node_modules/.bin:/bin:",
    LANG: "C.UTF-8",
    LC_ALL: "C",
    TERM: "dumb",
    TZ: "UTC",
    https_proxy: "http://p",
    NO_PROXY: "localhost",
    SSL_CERT_FILE: "/ca.pem",
    HOME: "/home/user",
    MY_KEY: "k",
  };
  const stint = { role: "executor", run: "r", task: "01-a", attempt: 2, outbox: "/o", inbox: "/i" };
  expect(agentEnvironment({ userEnv, allow: ["MY_KEY", "UNSET", "HOME"], home: "/agent", stint })).toEqual({
    PATH: "/usr/bin:/bin",
    LANG: "C.UTF-8",
    LC_ALL: "C",
    TERM: "dumb",
    TZ: "UTC",
    https_proxy: "http://p",
    NO_PROXY: "localhost",
    SSL_CERT_FILE: "/ca.pem",
    HOME: "/agent",
    MY_KEY: "k",
    STINT_ROLE: "executor",
    STINT_RUN: "r",
    STINT_TASK: "01-a",
    STINT_ATTEMPT: "2",
    STINT_OUTBOX: "/o",
    STINT_INBOX: "/i",
  });
});

test("a hostile BASH_ENV and NODE_OPTIONS do not fire; handed through, they would", async () => {
  const workspace = path.join(folder, "workspace");
  fs.writeFileSync(path.join(workspace, "evil.sh"), "echo fired >> fired\n");
  fs.writeFileSync(path.join(workspace, "evil.cjs"), "require('node:fs').appendFileSync('fired', 'fired')\n");
  const { BASH_ENV, NODE_OPTIONS } = hostile;
  const userEnv = { PATH: process.env["PATH"], BASH_ENV, NODE_OPTIONS };
  for (const command of [
    ["bash", "-c", ":"],
    ["node", "-e", "0"],
  ]) {
    const env = environment(userEnv);
    expect((await session("", { command, env })).outcome).toEqual({ kind: "ok" });
    expect(fs.existsSync(path.join(workspace, "fired"))).toBe(false);

    await session("", { command, env: { ...env, BASH_ENV, NODE_OPTIONS } });
    expect(fs.existsSync(path.join(workspace, "fired"))).toBe(true);
    fs.rmSync(path.join(workspace, "fired"));
  }
});

function environment(userEnv: Record<string, string | undefined>): Record<string, string> {
  return sessionEnvironment(folder, userEnv);
}

async function session(script: string, request: Partial<SessionRequest> = {}): Promise<SessionResult> {
  return commandDriver.run(sessionRequest(folder, { command: ["sh", "-c", script], ...request }));
}

async function outcomeOf(script: string, request: Partial<SessionRequest> = {}): Promise<SessionResult["outcome"]> {
  return (await session(script, request)).outcome;
}

function limitUntil(json: string): string {
  return `echo '{"until":${json}}' > $STINT_OUTBOX/limit.json; exit 75`;
}

function limit(until: string | null): SessionResult["outcome"] {
  return { kind: "limit", until };
}

/** A pipe can be opened for writing without waiting only while somebody waits to read from it. */
async function openWhenSomebodyReads(pipe: string): Promise<number> {
  for (;;) {
    try {
      return fs.openSync(pipe, fs.constants.O_WRONLY | fs.constants.O_NONBLOCK);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENXIO") throw error;
      await new Promise(setImmediate);
    }
  }
}
