import { expect, test } from "vitest";
import { defaultConfig } from "../../../src/config/defaults.ts";
import { loadConfig, type ConfigSources } from "../../../src/config/load.ts";

const project = (text: string) => ({ file: ".stint/config.yaml", bytes: new TextEncoder().encode(text) });
const user = (text: string) => ({ file: "~/.config/stint/config.yaml", bytes: new TextEncoder().encode(text) });

function complaints(sources: ConfigSources): string[] {
  return loadConfig(sources).problems.map(
    ({ file, line, column, severity, code, message }) => `${file}:${line}:${column} ${severity} ${code}: ${message}`,
  );
}

test("with nothing set, the built-in values apply and there is nothing to say", () => {
  expect(loadConfig({})).toEqual({ config: defaultConfig, problems: [], origins: new Map() });
  expect(loadConfig({ project: project("# nothing yet\n") }).config).toEqual(defaultConfig);
  expect(loadConfig({ project: project("run:\nbudget: {}\nhooks: []\n") })).toMatchObject({
    config: defaultConfig,
    problems: [],
  });
});

test("the defaults are those of the contract", () => {
  expect(defaultConfig).toMatchObject({
    run: {
      parallel: 4,
      attempts: 3,
      escalateAfter: 2,
      sandbox: "auto",
      taskTimeoutMs: 3_600_000,
      idleTimeoutMs: 600_000,
      reverify: "affected",
      replan: "ask",
      replanMax: 2,
      scopeRequests: "ask",
    },
    budget: {},
    review: { rounds: 3, eachTask: false },
  });
});

test("the command line wins over the project, the project over the user", () => {
  const { config, origins } = loadConfig({
    user: user("run: { parallel: 1, attempts: 5, task_timeout: 5m }\nbudget: { usd: 1 }\nworkspace: { env: [A, B] }\n"),
    project: project("run: { parallel: 2, attempts: 6 }\nbudget:\n  usd: 2\nworkspace: { env: [C], setup: npm ci }\n"),
    flags: { parallel: 3, budgetUsd: 7.5 },
  });
  expect(config.run).toMatchObject({ parallel: 3, attempts: 6, taskTimeoutMs: 300_000, idleTimeoutMs: 600_000 });
  expect(config.budget).toEqual({ usd: 7.5 });
  expect(config.workspace).toEqual({ setup: "npm ci", setupInputs: [], env: ["C"], mounts: [] });
  expect(Object.fromEntries(origins)).toMatchObject({
    "run.parallel": { layer: "command line" },
    "run.attempts": { layer: "project", file: ".stint/config.yaml", line: 1, column: 21 },
    "run.task_timeout": { layer: "user", line: 1, column: 34 },
    "workspace.setup": { layer: "project", line: 4, column: 24 },
  });
  expect(origins.has("run.idle_timeout")).toBe(false);
});

test("agents, roles, prices and servers merge entry by entry", () => {
  const { config } = loadConfig({
    user: user(
      "agents: { mine: { driver: command, command: [a], env: [K] }, other: { driver: command, command: [o] } }\n" +
        "roles: { planner: { agent: mine, model: big }, executor: { agent: other } }\nprices: { s: { input: 1, output: 2 } }\n",
    ),
    project: project(
      "agents: { mine: { driver: command, command: [b] } }\nroles: { planner: { agent: other } }\nmcp: { x: { url: 'http://u' } }\n",
    ),
  });
  expect(config.agents).toMatchObject({
    claude: { driver: "claude" },
    codex: { driver: "codex" },
    gemini: { driver: "gemini" },
    mine: { driver: "command", command: ["b"], env: [], repoSettings: false },
    other: { driver: "command", command: ["o"], env: [], repoSettings: false },
  });
  expect(config.roles).toEqual({ planner: { agent: "other" }, executor: { agent: "other" } });
  expect(config.prices).toEqual({ s: { input: 1, output: 2 } });
  expect(config.mcp).toEqual({ x: { url: "http://u", headers: {} } });
});

test("an empty role does not hide the user's", () => {
  const { config } = loadConfig({
    user: user("roles: { planner: { agent: claude } }"),
    project: project("roles:\n  planner:\n  executor: { agent: codex }\n"),
  });
  expect(config.roles).toEqual({ planner: { agent: "claude" }, executor: { agent: "codex" } });
});

test("a role naming an agent that nobody defined is found, in the file that names it", () => {
  expect(
    complaints({
      user: user("agents: { mine: { driver: command, command: [a] } }\nroles: { executor: { agent: main } }\n"),
      project: project("roles:\n  planner: { agent: constructor }\n"),
    }),
  ).toEqual([
    '.stint/config.yaml:2:3 error unknown-agent: roles.planner names the agent "constructor", which is not among claude, codex, gemini, mine',
    '~/.config/stint/config.yaml:2:10 error unknown-agent: roles.executor names the agent "main", which is not among claude, codex, gemini, mine',
  ]);
});

test("what this version only accepts is warned of, once for each key that is set", () => {
  const text = [
    "agents: { mine: { driver: acp, command: [x] }, tool: { driver: command, command: [x] } }",
    "roles: { planner: { agent: mine }, executor: { agent: claude }, judge: { agent: tool } }",
    "run: { parallel: 2, reverify: all, replan: ask, replan_max: 1, scope_requests: ask }",
    "budget: { usd: 1, tokens: 5, task_usd: 2 }",
    "prices: { s: { input: 3, output: 15 } }",
    "workspace: { setup: npm ci, setup_inputs: [package-lock.json], env: [], mounts: [/x] }",
    "review: { rounds: 0 }",
    "hooks: [{ on: [done], webhook: 'http://x' }, { on: [limit], command: [./a.sh] }]",
  ].join("\n");
  const names = ["7:1 review"].map((entry) => /^(\S+) (.*)$/.exec(entry) ?? []);
  expect(complaints({ project: project(text) })).toEqual(
    names.map(
      ([, at, name]) =>
        `.stint/config.yaml:${at} warning not-yet: \`${name}\` is not acted on by this version of stint`,
    ),
  );
});

test("flags have the same bounds as the file", () => {
  expect(complaints({ flags: { parallel: 0, budgetUsd: Number.NaN } })).toEqual([
    "command line:1:1 error bad-value: run.parallel must be at least 1, but is the number 0",
    "command line:1:1 error bad-value: budget.usd must be a number, but is the number NaN",
  ]);
});

const hostile = (bytes: Uint8Array) => complaints({ project: { file: "c", bytes } });

test("hostile bytes are a problem, not a crash", () => {
  expect(hostile(Uint8Array.of(0xff))).toEqual(["c:1:1 error not-utf8: the file is not valid UTF-8 here"]);
  expect(hostile(Uint8Array.of(0x61, 0))).toEqual([
    "c:1:2 error binary: the file contains a NUL byte here, so it is binary and not a document",
  ]);
  expect(hostile(new TextEncoder().encode(`\uFEFFa: ${"[".repeat(100_000)}`))).toEqual([
    "c:1:67 error yaml-depth: the YAML is nested deeper than 64 levels",
  ]);
  expect(hostile(new TextEncoder().encode("agents: { __proto__: { driver: command } }"))).toEqual([
    'c:1:11 error proto-key: the key "__proto__" is not allowed',
  ]);
});
