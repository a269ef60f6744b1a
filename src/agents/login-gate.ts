import { setTimeout as sleep } from "node:timers/promises";
import type { AgentDriver, AgentFacts, SessionRequest } from "./driver-kit/agent.ts";
import type { UserEnvironment } from "../process/environment.ts";
import { acquireLock, lockHolder, type Lock } from "../journal/lock.ts";
import { agentsLimits } from "./limits.ts";

export interface LoginGate {
  readonly agent: string;
  readonly env: UserEnvironment;
  /** Shared by all sessions that use the agent's home, in any process. */
  readonly lockFile: string;
  /** How long to wait for a renewal, and how often to look; by default as the limits say. */
  readonly bounds?: { readonly renewalMsMax: number; readonly lookMs: number };
}

/**
 * Wraps a driver so that its sessions start one at a time while their shared login has to be renewed: most services accept
 * a refresh token once, and log out every session when two programs use the same one.
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

/** Asks an agent something that may renew its login; undefined where another process may be renewing it now. */
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
  readonly bounds: NonNullable<LoginGate["bounds"]>;
  readonly expiry: () => Promise<number | null>;
}

/** Whether the agent keeps a login that can expire, which it does not with a credential in the environment. */
function keepsLogin(facts: AgentFacts, env: UserEnvironment): boolean {
  return facts.loginExpiry !== undefined && credentialOf(facts, env) === undefined;
}

/** Treats a home that cannot be read as one without a login; the agent itself will report what is wrong. */
function loginIn(home: string, { loginExpiry }: AgentFacts, gate: LoginGate): Login {
  const expiry = async () => (await loginExpiry?.(home).catch(() => null)) ?? null;
  return { bounds: usualBounds, ...gate, expiry };
}

const usualBounds = { renewalMsMax: agentsLimits.loginRenewalMsMax, lookMs: agentsLimits.loginLookMs };

/** Returns the lock if this session has to renew the login, and undefined if it may start at once. */
async function waitForTurn(
  login: Login,
  expiry: number,
  { signal, observe }: SessionRequest,
): Promise<Lock | undefined> {
  const waitMsMax = Math.max(0, expiry - Date.now()) + login.bounds.renewalMsMax;
  const until = performance.now() + waitMsMax;
  for (let reported = false; ; reported = true) {
    const lock = takeLock(login);
    if (await isRenewed(login, expiry)) {
      lock?.release();
      return undefined;
    }
    if (lock !== undefined) return lock;
    if (!reported) observe({ type: "notice", text: whyWaiting(login, waitMsMax) });
    // A session that starts after an interrupt ends by itself before it runs anything.
    if (signal.aborted || performance.now() >= until) return undefined;
    await sleep(login.bounds.lookMs, undefined, { signal }).catch(() => undefined);
  }
}

/** Lets others start as soon as the new login is there; this session can run for an hour after that. */
async function releaseOnceRenewed(
  login: Login,
  { expiry, lock, ended }: { readonly expiry: number; readonly lock: Lock; readonly ended: AbortSignal },
): Promise<void> {
  while (!ended.aborted && !(await isRenewed(login, expiry))) {
    await sleep(login.bounds.lookMs, undefined, { signal: ended }).catch(() => undefined);
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

/** Whether the login has a later expiry; while an agent rewrites it, there may be none for a moment. */
async function isRenewed({ expiry }: Login, before: number): Promise<boolean> {
  const now = await expiry();
  return now !== null && now > before;
}

function whyWaiting({ agent, lockFile }: Login, waitMsMax: number): string {
  const holder = lockHolder(lockFile);
  const who = holder === undefined ? "another session" : `a session of process ${holder.pid}`;
  return `waiting for ${who} to renew the login of ${agent}, at most ${Math.ceil(waitMsMax / 1000)} s`;
}

/** Returns the variable of the user's that the agent logs in with, where one is set: then it keeps no login that could expire. */
export function credentialOf({ credentials }: AgentFacts, env: UserEnvironment): string | undefined {
  return credentials.find((name) => (env[name] ?? "") !== "");
}
