import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { SessionRequest, SessionResult } from "../../../src/agents/driver-kit/agent.ts";
import { commandDriver } from "../../../src/agents/command/driver.ts";
import { agentEnvironment } from "../../../src/process/environment.ts";
import { sessionEnvironment, sessionRequest } from "../../rig/session.ts";

let folder: string;

beforeEach(() => {
  folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "command-")));
  for (const name of ["outbox", "inbox", "workspace", "home"]) fs.mkdirSync(path.join(folder, name));
});

afterEach(() => fs.rmSync(folder, { recursive: true }));

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
