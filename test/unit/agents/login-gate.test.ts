import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { AgentDriver, SessionResult } from "../../../src/agents/driver-kit/agent.ts";
import { commandDriver } from "../../../src/agents/command/driver.ts";
import { behindLoginGate } from "../../../src/agents/login-gate.ts";
import { acquireLock, type Lock } from "../../../src/journal/lock.ts";
import { agentsLimits } from "../../../src/agents/limits.ts";
import { keepLogin, startLoginServer, type LoginServer } from "../../rig/login-server.ts";
import { sessionEnvironment, sessionRequest } from "../../rig/session.ts";

/** What takes minutes in the night takes a moment here, where it is the end of a wait that is tested. */
const bounds = { renewalMsMax: 60_000, lookMs: 10 };

let folder: string;
let home: string;
let lockFile: string;
const locks: Lock[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "stint-gate-"));
  home = join(folder, "home");
  lockFile = join(folder, "agent.lock");
  mkdirSync(home);
});

afterEach(() => {
  bounds.renewalMsMax = 60_000;
  for (const lock of locks.splice(0)) lock.release();
  rmSync(folder, { recursive: true });
});

test("four sessions across an expiry renew their login once, and none is lost", async () => {
  await using server = await startLoginServer();
  const [shared, own] = [server.logIn(-1_000), server.logIn(-1_000)];
  keepLogin(home, shared);

  const outcomes = await fourSessions(server, (driver) =>
    behindLoginGate(driver, { agent: "mine", env: {}, lockFile, bounds }),
  );

  expect(outcomes).toEqual([{ kind: "ok" }, { kind: "ok" }, { kind: "ok" }, { kind: "ok" }]);
  expect(server.refreshes()).toEqual(["renewed"]);
  expect([server.holds(shared), server.holds(own)]).toEqual([true, true]);
});

test("the same four sessions without the gate lose the login: this is what the gate is for", async () => {
  await using server = await startLoginServer({ answerAfter: 4 });
  const [shared, own] = [server.logIn(-1_000), server.logIn(-1_000)];
  keepLogin(home, shared);

  const outcomes = await fourSessions(server, (driver) => driver);

  expect(outcomes).toContainEqual({ kind: "crashed", detail: "exit 1" });
  expect(server.refreshes()).toEqual(["renewed", "invalid_grant", "invalid_grant", "invalid_grant"]);
  expect([server.holds(shared), server.holds(own)]).toEqual([false, true]);
});

test("a session that renews the login lets others start before it ends", async () => {
  keepLogin(home, { expiresAt: Date.now() + 60_000 });
  const first = gated();
  await first.began;
  const second = gated();
  await second.waits;

  keepLogin(home, { expiresAt: Date.now() + 3_600_000 });

  await second.began;
  first.end();
  second.end();
  await Promise.all([first.result, second.result]);
});

test("a session that ends without having renewed the login lets the next one try, alone", async () => {
  keepLogin(home, { expiresAt: Date.now() - 1 });
  const first = gated();
  await first.began;
  const [second, third] = [gated(), gated()];
  await Promise.all([second.waits, third.waits]);

  first.end();

  const next = await Promise.race([second.began.then(() => second), third.began.then(() => third)]);
  const last = next === second ? third : second;
  expect(last.hasBegun()).toBe(false);
  next.end();
  await last.began;
  last.end();
  await Promise.all([first.result, second.result, third.result]);
});

test("a session that waits says for which one and how long, and continues when the time is over", async () => {
  bounds.renewalMsMax = 100;
  keepLogin(home, { expiresAt: Date.now() - 1 });
  locks.push(holdLock());

  const session = gated();
  expect(await session.waits).toBe(
    `waiting for a session of process ${process.pid} to renew the login of mine, at most 1 s`,
  );
  await session.began;
  session.end();
  await session.result;
});

test("an interrupt ends the wait, and nothing of the session is run", async () => {
  await using server = await startLoginServer();
  keepLogin(home, { expiresAt: Date.now() + agentsLimits.loginExpiryMarginMs / 2 });
  locks.push(holdLock());
  const interrupt = new AbortController();
  const driver = behindLoginGate(loginDriver, { agent: "mine", env: {}, lockFile, bounds });
  const observe = () => interrupt.abort();
  const request = { ...requestOf("one", server), signal: interrupt.signal, observe };

  expect((await driver.run(request)).outcome).toEqual({ kind: "interrupted", detail: "stopped by Stint" });
  expect(server.refreshes()).toEqual([]);
});

test("a login that is good for long, without an expiry, or that cannot be read makes no session wait", async () => {
  locks.push(holdLock());
  const contents = [
    { expiresAt: Date.now() + agentsLimits.loginExpiryMarginMs + 60_000 },
    { expiresAt: null },
    undefined,
  ];
  for (const content of contents) {
    rmSync(join(home, ".claude"), { recursive: true, force: true });
    if (content !== undefined) keepLogin(home, content);
    const session = gated();
    await session.began;
    session.end();
    await session.result;
    expect(session.hasWaited()).toBe(false);
  }
});

test("with a credential in the environment, or an agent that keeps no login, there is no gate", () => {
  const env = { MINE_API_KEY: "secret" };
  expect(behindLoginGate(loginDriver, { agent: "mine", env, lockFile, bounds })).toBe(loginDriver);
  expect(behindLoginGate(commandDriver, { agent: "mine", env: {}, lockFile, bounds })).toBe(commandDriver);
  const emptyKey = { MINE_API_KEY: "" };
  expect(behindLoginGate(loginDriver, { agent: "mine", env: emptyKey, lockFile, bounds })).not.toBe(loginDriver);
});

/** The command driver for an agent that keeps a login in its home. */
const loginDriver: AgentDriver = {
  ...commandDriver,
  facts: {
    ...commandDriver.facts,
    credentials: ["MINE_API_KEY"],
    loginExpiry: async (dir) => {
      const text = await readFile(join(dir, ".claude", ".credentials.json"), "utf8");
      return (JSON.parse(text) as { readonly claudeAiOauth: { readonly expiresAt: number | null } }).claudeAiOauth
        .expiresAt;
    },
  },
};

function holdLock(): Lock {
  const lock = acquireLock(lockFile, { purpose: "test" });
  if (!lock.ok) throw new Error(lock.failure.message);
  return lock.value;
}

/** Each in a workspace of its own, all with one home, as Stint starts them. */
async function fourSessions(server: LoginServer, through: (driver: AgentDriver) => AgentDriver) {
  const results = await Promise.all(
    ["one", "two", "three", "four"].map((name) => through(loginDriver).run(requestOf(name, server))),
  );
  return results.map(({ outcome }) => outcome);
}

function requestOf(name: string, server: LoginServer) {
  const dir = join(folder, name);
  const env = { ...sessionEnvironment(dir, process.env), HOME: home, LOGIN_URL: server.url };
  const command = [process.execPath, join(import.meta.dirname, "../../rig/login-agent.mjs")];
  return sessionRequest(dir, { home, env, command });
}

let sessions = 0;

/** A session behind the gate that begins when it is let through and ends when the test lets it. */
function gated() {
  const [began, waits, ends] = [signalOf<void>(), signalOf<string>(), signalOf<void>()];
  const run = async (): Promise<SessionResult> => {
    began.happen();
    await ends.happened;
    const usage = { inputTokens: 0, outputTokens: 0, usd: 0 };
    return { outcome: { kind: "ok" }, report: null, usage, sessionId: null };
  };
  const driver = behindLoginGate({ ...loginDriver, run }, { agent: "mine", env: {}, lockFile, bounds });
  const request = sessionRequest(join(folder, `session-${sessions++}`), {
    home,
    observe: (event) => void (event.type === "notice" && waits.happen(event.text)),
  });
  return {
    result: driver.run(request),
    began: began.happened,
    waits: waits.happened,
    hasBegun: began.hasHappened,
    hasWaited: waits.hasHappened,
    end: () => ends.happen(),
  };
}

function signalOf<T>() {
  let happen: (value: T) => void = () => undefined;
  let done = false;
  const happened = new Promise<T>((resolve) => {
    happen = (value) => {
      done = true;
      resolve(value);
    };
  });
  return { happened, happen: (value: T) => happen(value), hasHappened: () => done };
}
