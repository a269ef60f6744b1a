import { mkdirSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import type { AgentDriver } from "../src/agents/agent.ts";
import { commandDriver } from "../src/agents/command.ts";
import { defaultConfig } from "../src/config/defaults.ts";
import type { Config } from "../src/config/load.ts";
import { runLayout, sessionPlace } from "../src/host/layout.ts";
import { openProject } from "../src/host/project.ts";
import { realSessions } from "../src/host/real-sessions.ts";
import { noSandbox } from "../src/sandbox/none.ts";
import { keepLogin, startLoginServer, type LoginServer } from "./rig/login-server.ts";
import { createRig, type Rig } from "./rig/rig.ts";

/** Whether the driver can tell when a login runs out. */
const knowledge = vi.hoisted(() => ({ ofExpiry: true }));
vi.mock("../src/agents/drivers.ts", () => ({ knowsDriver: () => true, loadDriver: async () => loginDriver() }));

/** The command driver for an agent that keeps its login as claude does. */
function loginDriver(): AgentDriver {
  const loginExpiry = async (home: string) => {
    const text = await readFile(join(home, ".claude", ".credentials.json"), "utf8");
    return (JSON.parse(text) as { readonly claudeAiOauth: { readonly expiresAt: number } }).claudeAiOauth.expiresAt;
  };
  return { ...commandDriver, facts: { ...commandDriver.facts, ...(knowledge.ofExpiry && { loginExpiry }) } };
}

test("Four sessions of Stint across an expiry lose neither one of them nor the login they share nor the user's own.", async () => {
  knowledge.ofExpiry = true;
  await using server = await startLoginServer();
  await using rig = await createRig({});
  const { outcomes, shared, own, ownFile } = await fourSessions(rig, server);

  expect(outcomes).toEqual([{ kind: "ok" }, { kind: "ok" }, { kind: "ok" }, { kind: "ok" }]);
  expect(server.refreshes()).toEqual(["renewed"]);
  expect([server.holds(shared), server.holds(own)]).toEqual([true, true]);
  expect(readFileSync(join(rig.root, "home", ".claude", ".credentials.json"), "utf8")).toBe(ownFile);
});

test("Did Stint not know when the login runs out, it would be lost: the same four sessions without the gate.", async () => {
  knowledge.ofExpiry = false;
  await using server = await startLoginServer({ answerAfter: 4 });
  await using rig = await createRig({});
  const { outcomes, shared, own } = await fourSessions(rig, server);

  expect(outcomes).toContainEqual({ kind: "crashed", detail: "exit 1" });
  expect(server.refreshes()).toEqual(["renewed", "invalid_grant", "invalid_grant", "invalid_grant"]);
  expect([server.holds(shared), server.holds(own)]).toEqual([false, true]);
});

/** Started side by side, as a run with four lanes or four runs would, with one login that has just run out. */
async function fourSessions(rig: Rig, server: LoginServer) {
  const env = { PATH: process.env["PATH"], HOME: join(rig.root, "home"), XDG_STATE_HOME: join(rig.root, "state") };
  const opened = await openProject(rig.repo, { ...env, LOGIN_URL: server.url });
  if (!opened.ok) throw new Error(opened.failure.message);
  const project = opened.value;
  const [shared, own] = [server.logIn(-1_000), server.logIn(-1_000)];
  keepLogin(privateFolder(rig, "state", "stint", "homes", "mine"), shared);
  keepLogin(join(rig.root, "home"), own);
  const ownFile = readFileSync(join(rig.root, "home", ".claude", ".credentials.json"), "utf8");

  const layout = runLayout(project.layout, "20261115-201733-work-k3f9");
  const sessions = realSessions({ project, config, layout, sandbox: noSandbox });
  const results = await Promise.all(
    ["north", "east", "south", "west"].map(async (task) => {
      const key = { task, attempt: 1 };
      for (const folder of [sessionPlace(layout, key).tree, layout.attempt(key)])
        mkdirSync(folder, { recursive: true });
      const { signal } = new AbortController();
      const session = { key, role: "executor", prompt: "Do it.", inbox: new Map(), signal } as const;
      return await sessions.run({ ...session, started: () => undefined, used: () => undefined });
    }),
  );
  return { outcomes: results.map(({ outcome }) => outcome), shared, own, ownFile };
}

const command = [process.execPath, join(import.meta.dirname, "rig", "login-agent.mjs")];
const config: Config = {
  ...defaultConfig,
  agents: { mine: { driver: "command", command, env: ["LOGIN_URL"], repoSettings: false } },
  roles: { executor: { agent: "mine" } },
};

function privateFolder(rig: Rig, ...names: readonly string[]): string {
  const folder = join(rig.root, ...names);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return folder;
}
