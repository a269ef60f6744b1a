import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { SessionRequest, SessionResult } from "../../../../src/agents/driver-kit/agent.ts";
import { commandDriver } from "../../../../src/agents/command/driver.ts";
import { sessionRequest } from "../../../rig/session.ts";

let folder: string;

beforeEach(() => {
  folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "command-")));
  for (const name of ["outbox", "inbox", "workspace", "home"]) fs.mkdirSync(path.join(folder, name));
});

afterEach(() => fs.rmSync(folder, { recursive: true }));

test("an agent that cannot be started is an error that says how to fix it, not a session that failed", async () => {
  const workspace = path.join(folder, "workspace");
  await expect(session("", { command: ["./no-agent.sh"] })).rejects.toThrow(
    `The agent cannot be started: ${workspace}/no-agent.sh does not exist. Fix the program or PATH, then \`stint resume p#1\`.`,
  );
  await expect(session("", { command: ["no-agent"], env: { PATH: "/usr/bin:/bin" } })).rejects.toThrow(
    "The agent cannot be started: no-agent was not found on PATH.",
  );
  await expect(session("exit 0", { logFile: workspace })).rejects.toThrow(
    /^The agent cannot be started: The log cannot be written: illegal operation on a directory.* Then run `stint resume p#1`\.$/,
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

async function session(script: string, request: Partial<SessionRequest> = {}): Promise<SessionResult> {
  return commandDriver.run(sessionRequest(folder, { command: ["sh", "-c", script], ...request }));
}

async function outcomeOf(script: string, request: Partial<SessionRequest> = {}): Promise<SessionResult["outcome"]> {
  return (await session(script, request)).outcome;
}
