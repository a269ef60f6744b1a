import { expect, test } from "vitest";
import { loadConfig, type ConfigSources } from "../../../src/config/load.ts";

const project = (text: string) => ({ file: ".stint/config.yaml", bytes: new TextEncoder().encode(text) });

function complaints(sources: ConfigSources): string[] {
  return loadConfig(sources).problems.map(
    ({ file, line, column, severity, code, message }) => `${file}:${line}:${column} ${severity} ${code}: ${message}`,
  );
}

test.each<[string, string[]]>([
  ["runn: {}", ['1:1 error unknown-key: unknown key "runn"; did you mean "run"?']],
  ["run:\n  paralel: 2", ['2:3 error unknown-key: unknown key "paralel"; did you mean "parallel"?']],
  ["run: { parallel: two }", ['1:8 error bad-value: run.parallel must be a number, but is the text "two"']],
  ["run: { parallel: 0 }", ["1:8 error bad-value: run.parallel must be at least 1, but is the number 0"]],
  ["run: { parallel: 65 }", ["1:8 error bad-value: run.parallel must be at most 64, but is the number 65"]],
  [
    "run: { sandbox: docker }",
    ['1:8 error bad-value: run.sandbox must be "auto", "bwrap" or "none", but is the text "docker"'],
  ],
  [
    "run: { task_timeout: 60 }",
    [
      '1:8 error bad-value: run.task_timeout must be a duration from 1ms to 576h such as "90s" or "10m", but is the number 60',
    ],
  ],
  ["run: 4", ["1:1 error bad-value: run must be a map, but is the number 4"]],
  ["budget: { usd: -1 }", ["1:11 error bad-value: budget.usd must be at least 0, but is the number -1"]],
  [
    "workspace: { env: [A=b] }",
    ["1:20 error bad-value: workspace.env[0] must be the name of an environment variable: letters, digits and _"],
  ],
  [
    "workspace: { setup: '' }",
    ["1:14 error empty-command: workspace.setup is an empty command, which would always pass"],
  ],
  ...["relative", "~", "/", "~/../x", "/proc/1", "/stint/x", ":rw"].map((path): [string, string[]] => [
    `workspace: { mounts: ["${path}"] }`,
    [
      '1:23 error bad-value: workspace.mounts[0] must be a path that starts with "/" or "~/" and is not below /proc, /dev or /stint; append ":rw" to make it writable',
    ],
  ]),
  ["agents: { mine: { command: [x] } }", ["1:11 error bad-value: agents.mine.driver is missing"]],
  ["agents: { mine: { driver: command } }", ["1:11 error bad-value: agents.mine.command is missing"]],
  [
    "agents: { mine: { driver: command, command: ./x.sh } }",
    ['1:36 error bad-value: agents.mine.command must be a list, but is the text "./x.sh"'],
  ],
  [
    "agents: { mine: { driver: command, command: [] } }",
    ["1:36 error bad-value: agents.mine.command must begin with the name of a program"],
  ],
  [
    "roles: { boss: { agent: claude } }",
    [
      '1:10 error unknown-key: unknown key "boss"; known keys: planner, executor, reviewer, judge, escalation, external',
    ],
  ],
  ["roles: { planner: { model: opus } }", ["1:10 error bad-value: roles.planner.agent is missing"]],
  ["- a", ['1:1 error not-a-map: expected keys and values such as "title: …"']],
  ["run: {}\nrun: {}", ['2:1 error duplicate-key: the key "run" appears twice']],
  ["run:\n\tparallel: 2", ["2:1 error yaml: YAML: Tabs are not allowed as indentation"]],
])("the config %j is refused with what to change", (text, expected) => {
  expect(complaints({ project: project(text) })).toEqual(expected.map((line) => `.stint/config.yaml:${line}`));
});

test("numbers with underscores are text in YAML, and the message says so", () => {
  expect(complaints({ project: project("budget:\n  tokens: 5_000_000\n") })).toEqual([
    '.stint/config.yaml:2:3 error bad-value: budget.tokens must be a number, but is the text "5_000_000"; write 5000000, without quotes and underscores',
  ]);
});

test("a mount is read-only unless it says otherwise", () => {
  const text = 'workspace: { mounts: [/data/, "~/.m2:rw", "/a:b:ro"] }';
  expect(loadConfig({ project: project(text) }).config.workspace.mounts).toEqual([
    { path: "/data", writable: false },
    { path: "~/.m2", writable: true },
    { path: "/a:b", writable: false },
  ]);
});

test("the moves of a scripted agent are a file of the repository, also where a bare name is given", () => {
  const { config, problems } = loadConfig({
    project: project(
      "agents: { s: { driver: scripted, command: [moves.json] }, t: { driver: scripted, command: [a/b.json] } }",
    ),
  });
  expect(problems).toEqual([]);
  expect(config.agents["s"]?.command).toEqual(["./moves.json"]);
  expect(config.agents["t"]?.command).toEqual(["a/b.json"]);
  expect(complaints({ project: project("agents: { s: { driver: scripted } }") })).toEqual([
    ".stint/config.yaml:1:11 error bad-value: agents.s.command is missing",
  ]);
});

test("a hook wants events that exist, and has an address or a program", () => {
  const text =
    "hooks: [{ on: [done, task-integrated], webhook: 'https://x.example/y' }, { on: [limit], command: [./a.sh, b] }]";
  expect(loadConfig({ project: project(text) })).toMatchObject({
    problems: [],
    config: {
      hooks: [
        { on: ["done", "task-integrated"], webhook: "https://x.example/y" },
        { on: ["limit"], command: ["./a.sh", "b"] },
      ],
    },
  });
});
