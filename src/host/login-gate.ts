import { setTimeout as sleep } from "node:timers/promises";
import type { AgentDriver, SessionRequest } from "../agents/agent.ts";
import type { UserEnvironment } from "../agents/environment.ts";
import { acquireLock, lockHolder, type Lock } from "../journal/lock.ts";
import { limits } from "../limits.ts";
import { credentialOf } from "./agent-login.ts";

export interface LoginGate {
  readonly agent: string;
  readonly env: UserEnvironment;
  /** One for all sessions that share the agent's home, in whatever process. */
  readonly lockFile: string;
}

/**
 * A driver whose sessions start one at a time while the login they share has to be renewed: most services take a refresh
 * token once, and log out everybody when two programs use the same.
 */
export function behindLoginGate(driver: AgentDriver, gate: LoginGate): AgentDriver {
  const { loginExpiry } = driver.facts;
  if (loginExpiry === undefined || credentialOf(driver.facts, gate.env) !== undefined) return driver;
  const run: AgentDriver["run"] = async (request) => {
    // A home that cannot be read says nothing of a login; the agent itself will tell what is wrong with it.
    const login: Login = { ...gate, expiry: () => loginExpiry(request.home).catch(() => null) };
    const expiry = await login.expiry();
    const lock = expiry === null || !isDue(expiry) ? undefined : await waitForTurn(login, expiry, request);
    if (expiry === null || lock === undefined) return await driver.run(request);
    const ended = new AbortController();
    const released = releaseOnceRenewed(login, { expiry, lock, ended: ended.signal });
    try {
      return await driver.run(request);
    } finally {
      ended.abort();
      await released;
    }
  };
  return { ...driver, run };
}

interface Login extends LoginGate {
  readonly expiry: () => Promise<number | null>;
}

/** Returns the lock if this session is the one to renew the login, and nothing if it may just start. */
async function waitForTurn(
  login: Login,
  expiry: number,
  { signal, observe }: SessionRequest,
): Promise<Lock | undefined> {
  const waitMsMax = Math.max(0, expiry - Date.now()) + limits.loginRenewalMsMax;
  const until = performance.now() + waitMsMax;
  for (let told = false; ; told = true) {
    const lock = takeLock(login);
    if (await isRenewed(login, expiry)) {
      lock?.release();
      return undefined;
    }
    if (lock !== undefined) return lock;
    if (!told) observe({ type: "notice", text: whyWaiting(login, waitMsMax) });
    // A session that is started after an interrupt ends by itself, before it has run anything.
    if (signal.aborted || performance.now() >= until) return undefined;
    await sleep(limits.loginLookMs, undefined, { signal }).catch(() => undefined);
  }
}

/** Others may start as soon as the new login is there; a session can go on for an hour after that. */
async function releaseOnceRenewed(
  login: Login,
  { expiry, lock, ended }: { readonly expiry: number; readonly lock: Lock; readonly ended: AbortSignal },
): Promise<void> {
  while (!ended.aborted && !(await isRenewed(login, expiry))) {
    await sleep(limits.loginLookMs, undefined, { signal: ended }).catch(() => undefined);
  }
  lock.release();
}

function takeLock({ agent, lockFile }: Login): Lock | undefined {
  const taken = acquireLock(lockFile, { purpose: `renews the login of ${agent}` });
  if (taken.ok) return taken.value;
  if (taken.failure.reason === "held") return undefined;
  throw new Error(taken.failure.message);
}

function isDue(expiry: number): boolean {
  return expiry - Date.now() < limits.loginExpiryMarginMs;
}

/** While an agent writes its login anew, it may for a moment say nothing about its expiry. */
async function isRenewed({ expiry }: Login, before: number): Promise<boolean> {
  const now = await expiry();
  return now !== null && now > before;
}

function whyWaiting({ agent, lockFile }: Login, waitMsMax: number): string {
  const holder = lockHolder(lockFile);
  const who = holder === undefined ? "another session" : `a session of process ${holder.pid}`;
  return `waiting for ${who} to renew the login of ${agent}, at most ${Math.ceil(waitMsMax / 1000)} s`;
}
