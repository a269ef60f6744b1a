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
  ["run:\n\tparallel: 2", ["2:1 error yaml: YAML: Tabs are not allowed as indentation; use spaces"]],
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

function hookComplaints(text: string): string[] {
  const { problems } = loadConfig({ project: { file: ".stint/config.yaml", bytes: Buffer.from(text) } });
  return problems.map(({ line, column, code, message }) => `${line}:${column} ${code}: ${message}`);
}

test("a name that is no event is an error where it stands, with the nearest one or all there are", () => {
  const text = "hooks:\n  - { on: [done, blokced], webhook: 'http://x' }\n  - { on: [task-integrate], command: [x] }\n";
  expect(hookComplaints(text)).toEqual([
    '2:18 unknown-event: hooks[0].on[1] is an unknown event "blokced"; did you mean "blocked"?',
    '3:12 unknown-event: hooks[1].on[0] is an unknown event "task-integrate"; did you mean "task-integrated"?',
  ]);
  expect(hookComplaints("hooks: [{ on: [zzz], command: [x] }]")).toEqual([
    expect.stringMatching(
      /^1:16 unknown-event: hooks\[0\]\.on\[0\] is an unknown event "zzz"; known events: blocked, asks, waits, limit, done, plan-approved, .*, run-finished$/,
    ),
  ]);
  expect(hookComplaints("hooks: [{ on: [], command: [x] }]")).toEqual([
    "1:11 bad-value: hooks[0].on must name at least one event",
  ]);
  expect(
    hookComplaints("hooks: [{ on: [blocked, verdict], command: [x] }, { on: [done], webhook: 'https://x/y' }]"),
  ).toEqual([]);
});

test.each(["file:///etc/passwd", "javascript:alert(1)", "data:text/plain,x", "ftp://x/", "//x/y", "x", "http:"])(
  "%s is no address of a webhook",
  (url) => {
    expect(hookComplaints(`hooks: [{ on: [done], webhook: '${url}' }]`)).toEqual([
      "1:23 bad-value: hooks[0].webhook must be an address that starts with http:// or https://",
    ]);
  },
);

test("a password in an address is refused without being shown", () => {
  expect(hookComplaints("hooks: [{ on: [done], webhook: 'https://me:canary@x.example/y' }]")).toEqual([
    "1:23 bad-value: hooks[0].webhook must not contain a user name or password: use a command instead, which can read them from your environment",
  ]);
});

test("a hook has one target, and its command begins with a program", () => {
  expect(hookComplaints("hooks: [{ on: [done], webhook: 'http://x', command: [x] }, { on: [done] }]")).toEqual([
    "1:9 bad-value: hooks[0] must have exactly one of webhook and command",
    "1:60 bad-value: hooks[1] must have exactly one of webhook and command",
  ]);
  expect(hookComplaints("hooks: [{ on: [done], command: [''] }]")).toEqual([
    "1:23 bad-value: hooks[0].command must begin with the name of a program",
  ]);
});
