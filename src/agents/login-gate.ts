import { setTimeout as sleep } from "node:timers/promises";
import type { AgentDriver, AgentFacts, SessionRequest } from "./driver-kit/agent.ts";
import type { UserEnvironment } from "../process/environment.ts";
import { acquireLock, lockHolder, type Lock } from "../journal/lock.ts";
import { agentsLimits } from "./limits.ts";
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
  if (!keepsLogin(driver.facts, gate.env)) return driver;
  const run: AgentDriver["run"] = async (request) => {
    const login = loginIn(request.home, driver.facts, gate);
    const expiry = await login.expiry();
    const lock = isDue(expiry) ? await waitForTurn(login, expiry, request) : undefined;
    if (!isDue(expiry) || lock === undefined) return await driver.run(request);
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

/** Asks what may make an agent renew its login; undefined where that could meet another that renews it now. */
export async function askBehindLoginGate<T>(
  { facts, home, gate }: { readonly facts: AgentFacts; readonly home: string; readonly gate: LoginGate },
  ask: () => Promise<T>,
): Promise<T | undefined> {
  if (!keepsLogin(facts, gate.env)) return await ask();
  const login = loginIn(home, facts, gate);
  if (!isDue(await login.expiry())) return await ask();
  const lock = takeLock(login);
  if (lock === undefined) return undefined;
  try {
    return await ask();
  } finally {
    lock.release();
  }
}

interface Login extends LoginGate {
  readonly expiry: () => Promise<number | null>;
}

/** With a credential of the environment nothing is kept that could run out. */
function keepsLogin(facts: AgentFacts, env: UserEnvironment): boolean {
  return facts.loginExpiry !== undefined && credentialOf(facts, env) === undefined;
}

/** A home that cannot be read says nothing of a login; the agent itself will tell what is wrong with it. */
function loginIn(home: string, { loginExpiry }: AgentFacts, gate: LoginGate): Login {
  return { ...gate, expiry: async () => (await loginExpiry?.(home).catch(() => null)) ?? null };
}

/** Returns the lock if this session is the one to renew the login, and nothing if it may just start. */
async function waitForTurn(
  login: Login,
  expiry: number,
  { signal, observe }: SessionRequest,
): Promise<Lock | undefined> {
  const waitMsMax = Math.max(0, expiry - Date.now()) + agentsLimits.loginRenewalMsMax;
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
    await sleep(agentsLimits.loginLookMs, undefined, { signal }).catch(() => undefined);
  }
}

/** Others may start as soon as the new login is there; a session can go on for an hour after that. */
async function releaseOnceRenewed(
  login: Login,
  { expiry, lock, ended }: { readonly expiry: number; readonly lock: Lock; readonly ended: AbortSignal },
): Promise<void> {
  while (!ended.aborted && !(await isRenewed(login, expiry))) {
    await sleep(agentsLimits.loginLookMs, undefined, { signal: ended }).catch(() => undefined);
  }
  lock.release();
}

function takeLock({ agent, lockFile }: Login): Lock | undefined {
  const taken = acquireLock(lockFile, { purpose: `renews the login of ${agent}` });
  if (taken.ok) return taken.value;
  if (taken.failure.reason === "held") return undefined;
  throw new Error(taken.failure.message);
}

function isDue(expiry: number | null): expiry is number {
  return expiry !== null && expiry - Date.now() < agentsLimits.loginExpiryMarginMs;
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
