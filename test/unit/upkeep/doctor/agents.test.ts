import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { AgentDriver } from "../../../../src/agents/driver-kit/agent.ts";
import { commandDriver } from "../../../../src/agents/command/driver.ts";
import { defaultConfig } from "../../../../src/config/defaults.ts";
import type { Config } from "../../../../src/config/load.ts";
import type { CommandWatch } from "../../../../src/checks/running-command.ts";
import { examineAgents, type AgentExamination } from "../../../../src/upkeep/doctor/agents.ts";
import { diagnoseAgents } from "../../../../src/upkeep/doctor/diagnose.ts";
import { acquireLock } from "../../../../src/journal/lock.ts";
import { noSandbox } from "../../../../src/sandbox/sandbox.ts";
import { processesOf } from "../../../rig/processes.ts";

const expiry: { at: number | null } = { at: null };

/** A driver of the tests, for an agent that can be asked for its login. */
const driver: AgentDriver = {
  ...commandDriver,
  facts: {
    ...commandDriver.facts,
    program: "mine",
    credentials: ["MINE_API_KEY"],
    tested: { oldest: "2.1.0", newest: "2.4.0" },
    loginExpiry: async () => expiry.at,
    login: {
      args: ["auth", "status"],
      read: ({ code, output }) => ({ loggedIn: code === 0, how: output.trim() }),
    },
  },
};

let folder: string;
let home: string;
let env: Record<string, string>;

beforeEach(() => {
  expiry.at = null;
  folder = mkdtempSync(join(tmpdir(), "stint doctor's "));
  home = join(folder, "state", "stint", "homes", "mine");
  mkdirSync(join(folder, "bin"));
  mkdirSync(join(folder, "user"));
  const PATH = `${join(folder, "bin")}:/usr/bin:/bin`;
  env = { PATH, HOME: join(folder, "user"), XDG_STATE_HOME: join(folder, "state"), TERM: "dumb", LANG: "C.UTF-8" };
});

afterEach(() => rmSync(folder, { recursive: true }));

/** Keeps its login in its HOME, or logs in with a key. */
const honest = `
case "$*" in
  --version) echo "mine 2.3.4 (of the tests)" ;;
  "auth status")
    if [ -n "$MINE_API_KEY" ]; then echo "API key from MINE_API_KEY"
    elif [ -f "$HOME/.mine" ]; then echo "logged in"
    else echo "not logged in" >&2; exit 1; fi ;;
esac`;

test("an agent that is logged in is well", async () => {
  install(honest);
  mkdirSync(home, { recursive: true, mode: 0o700 });
  writeFileSync(join(home, ".mine"), "secret");

  expect(await findings()).toEqual([
    { about: "mine", state: "ok", says: `2.3.4 (known to work: 2.1.0 to 2.4.0), ${folder}/bin/mine`, cure: null },
    { about: "login of mine", state: "ok", says: "logged in", cure: null },
    { about: "roles of mine", state: "ok", says: "executor (model large), escalation (model large)", cure: null },
  ]);
});

test("a key of the environment reaches the agent, and it says so", async () => {
  install(honest);
  env["MINE_API_KEY"] = "k";
  const [, login] = await findings();
  expect(login).toEqual({ about: "login of mine", state: "ok", says: "API key from MINE_API_KEY", cure: null });
});

test("an agent that is logged out gets the one command that logs it in", async () => {
  install(honest);
  expect((await findings())[1]).toEqual({
    about: "login of mine",
    state: "bad",
    says: "not logged in",
    cure: "Log in with `stint login mine`, or set MINE_API_KEY.",
  });
});

test("an agent that hangs is ended with all it started, and the message says how long it was waited for", async () => {
  install("sleep 1000 & sleep 1000");
  const cure = `Run \`${folder}/bin/mine --version\` yourself and fix what it reports.`;
  const says = `${folder}/bin/mine does not report its version: no answer within 0.3 s`;
  const [shown, over]: [string[], string[]] = [[], []];
  const watch: CommandWatch = ({ name }) => {
    shown.push(name);
    return () => over.push(name);
  };
  const [program, login] = await findings({ answerMsMax: 300, watch });
  expect(shown).toEqual(["asking mine --version"]);
  expect(over).toEqual(shown);
  expect(program).toEqual({ about: "mine", state: "bad", says, cure });
  expect(login).toMatchObject({ state: "bad", says: "unknown: no answer within 0.3 s" });
  expect(processesOf(folder)).toEqual([]);
});

test("an agent that crashes is not taken for one that is logged out", async () => {
  install("kill -SEGV $$");
  const [program, login] = await findings();
  expect(program).toMatchObject({
    state: "bad",
    says: `${folder}/bin/mine does not report its version: killed by SIGSEGV`,
  });
  expect(login).toMatchObject({ state: "bad", says: "unknown: killed by SIGSEGV" });
});

test("a program that fails at everything is quoted, and not taken for one that is logged out", async () => {
  install("echo 'SyntaxError: Unexpected token' >&2; echo '    at main.js:1' >&2; exit 1");
  const [program, login] = await findings();
  const why = "exit 1: SyntaxError: Unexpected token";
  expect(program).toMatchObject({ state: "bad", says: `${folder}/bin/mine does not report its version: ${why}` });
  expect(login).toMatchObject({ state: "bad", says: `unknown: ${why}`, cure: "Start the agent yourself to see why." });
});

test("a program that is there but cannot be executed is not to be installed", async () => {
  install(honest);
  chmodSync(join(folder, "bin", "mine"), 0o644);
  const says = `${folder}/bin/mine is not an executable file. Run \`chmod +x\` on it.`;
  expect((await findings())[0]).toEqual({ about: "mine", state: "bad", says, cure: null });
  const unused = await findings({ config: configOf({ roles: {} }) });
  expect(unused[0]).toEqual({ about: "mine", state: "warn", says, cure: null });
});

test("an agent that only plans or reviews keeps no run from working", async () => {
  install(honest);
  const [, login] = await findings({ config: configOf({ roles: { planner: { agent: "mine" } } }) });
  expect(login).toMatchObject({ about: "login of mine", state: "warn", says: "not logged in" });
});

test("an agent that is not installed is bad for a role that needs it, and else a remark", async () => {
  const says = "mine was not found on PATH.";
  const cure = "Install it, or choose another agent under `roles` in .stint/config.yaml.";
  const needed = await findings();
  expect(needed[0]).toEqual({ about: "mine", state: "bad", says, cure });
  const unused = await findings({ config: configOf({ roles: {} }) });
  expect(unused[0]).toEqual({
    about: "mine",
    state: "warn",
    says: "not installed (optional)",
    cure: null,
    optional: true,
  });
  expect(unused[1]).toMatchObject({ state: "bad", says: "no coding agent found" });
});

test("a version outside the known range is a warning, and a version that cannot be read is none", async () => {
  const versions = { "2.1.0": "ok", "2.4.0": "ok", unknown: "ok" };
  for (const [version, state] of Object.entries(versions)) {
    install(`echo ${version}`);
    expect((await findings())[0], version).toMatchObject({ state });
  }
  const cures = { "2.0.9": "Update it.", "2.4.1": "If its sessions fail, install 2.4.0." };
  for (const [version, cure] of Object.entries(cures)) {
    install(`echo ${version}`);
    const says = `${version} (known to work: 2.1.0 to 2.4.0), ${folder}/bin/mine`;
    expect((await findings())[0]).toEqual({ about: "mine", state: "warn", says, cure });
  }
});

test("an agent is asked with the environment of a session: nothing of the user's but what is let through", async () => {
  install('env > "$HOME/env"; pwd > "$HOME/cwd"');
  const secrets = { AWS_SECRET_ACCESS_KEY: "s", OTHER_API_KEY: "s", CLAUDE_CONFIG_DIR: "/x", NODE_OPTIONS: "--bad" };
  await findings({ env: { ...env, ...secrets, MINE_API_KEY: "k", http_proxy: "http://127.0.0.1:9" } });

  const lines = readFileSync(join(home, "env"), "utf8").trim().split("\n");
  const names = lines.map((line) => line.split("=")[0]).filter((name) => name !== "PWD" && name !== "_");
  const ofStint = ["STINT_ATTEMPT", "STINT_INBOX", "STINT_OUTBOX", "STINT_ROLE", "STINT_RUN"];
  const expected = ["HOME", "LANG", "MINE_API_KEY", "PATH", "TERM", "http_proxy", ...ofStint];
  expect(names.toSorted()).toEqual(expected.toSorted());
  expect(lines).toContain(`HOME=${home}`);
  expect(readFileSync(join(home, "cwd"), "utf8")).toMatch(/stint-doctor-\w+\/tree\n$/);
});

test("a command that the repository brings along is not run; the same one of the user's own settings is", async () => {
  install(`: > '${folder.replace("'", "'\\''")}/ran'`);
  const config = configOf({
    agents: { mine: { driver: "claude", command: ["mine", "--fast"], env: [], repoSettings: false } },
  });

  const [program, login] = await findings({ config, unapproved: new Set(["mine"]) });
  expect(existsSync(join(folder, "ran"))).toBe(false);
  const why = "its command comes from the repository, so doctor does not run it";
  expect(program).toMatchObject({ state: "ok", says: `${folder}/bin/mine; version unknown: ${why}` });
  expect(login).toMatchObject({ state: "ok", says: `unknown: ${why}` });

  await findings({ config });
  expect(existsSync(join(folder, "ran"))).toBe(true);
});

test("an agent is not asked for its login while a session renews it, because the question might renew it too", async () => {
  install(honest);
  expiry.at = Date.now() - 1_000;
  await findings();
  const lock = acquireLock(join(folder, "state", "stint", "logins", "mine.lock"), { purpose: "test" });
  if (!lock.ok) throw new Error(lock.failure.message);
  const held = await findings();
  lock.value.release();
  expect(held[1]).toMatchObject({ state: "ok", says: "unknown: a session is renewing it right now" });
  expect((await findings())[1]).toMatchObject({ state: "bad", says: "not logged in" });
});

test("a home that others can write to is not used, and the agent is not started in it", async () => {
  install(honest);
  mkdirSync(home, { recursive: true, mode: 0o700 });
  chmodSync(home, 0o777);
  const why = `${home} is open to other users. Run \`chmod 700\` on it, and check who wrote to it.`;
  expect((await findings())[1]).toMatchObject({ state: "bad", says: `unknown: ${why}` });
  chmodSync(home, 0o700);
  expect((await findings())[1]).toMatchObject({ state: "bad", says: "not logged in" });
});

function install(script: string): void {
  writeFileSync(join(folder, "bin", "mine"), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
}

function configOf(more: Partial<Config> = {}): Config {
  return {
    ...defaultConfig,
    agents: { mine: { driver: "claude", command: [], env: [], repoSettings: false } },
    roles: { executor: { agent: "mine", model: "large" } },
    ...more,
  };
}

async function findings(more: Partial<AgentExamination> = {}) {
  const { signal } = new AbortController();
  const examination = {
    config: configOf(),
    unapproved: new Set<string>(),
    root: null,
    env,
    sandbox: noSandbox,
    signal,
  };
  return diagnoseAgents(
    await examineAgents({ answerMsMax: 30_000, driverOf: async () => driver, ...examination, ...more }),
  );
}
