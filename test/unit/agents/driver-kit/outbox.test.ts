import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { SessionRequest, SessionResult } from "../../../../src/agents/driver-kit/agent.ts";
import { commandDriver } from "../../../../src/agents/command/driver.ts";
import { readReport, readUsage } from "../../../../src/agents/driver-kit/outbox.ts";
import { agentsLimits } from "../../../../src/agents/limits.ts";
import { sessionRequest } from "../../../rig/session.ts";

let folder: string;
let outbox: string;

beforeEach(() => {
  folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "command-")));
  outbox = path.join(folder, "outbox");
  for (const name of ["outbox", "inbox", "workspace", "home"]) fs.mkdirSync(path.join(folder, name));
});

afterEach(() => fs.rmSync(folder, { recursive: true }));

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

async function session(script: string, request: Partial<SessionRequest> = {}): Promise<SessionResult> {
  return commandDriver.run(sessionRequest(folder, { command: ["sh", "-c", script], ...request }));
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
