import { expect, test } from "vitest";
import { parsePlan } from "../../../src/plan/parse.ts";
import { parseRules } from "../../../src/plan/rules.ts";
import type { PlanFile, PlanFiles, Problem, Task } from "../../../src/plan/types.ts";

const file = (text: string): PlanFile => ({ bytes: new TextEncoder().encode(text) });
const show = ({ file, line, column, severity, code, message }: Problem) =>
  `${file.replace("plans/p/", "")}:${line}:${column} ${severity} ${code}: ${message}`;

function filesWith(front: { plan?: string; task?: string; rules?: string }): PlanFiles {
  const { plan = "title: P", task = "title: A\nfiles: [a]\nchecks: [x]", rules } = front;
  return new Map([
    ["plans/p/plan.md", file(`---\n${plan}\n---\n## Tasks\n- [ ] [a](tasks/a.md) A\n`)],
    ["plans/p/scope.md", file("## Understanding\n## Goals\n## Gaps\n")],
    ["plans/p/tasks/a.md", file(`---\n${task}\n---\n## Goal\nDone.\n`)],
    ...(rules === undefined ? [] : ([[".stint/rules.md", file(`---\n${rules}\n---\nBe kind.\n`)]] as const)),
  ]);
}

const complaints = (front: Parameters<typeof filesWith>[0]) => parsePlan(filesWith(front), "p").problems.map(show);

function taskOf(task: string): Task {
  const { plan, problems } = parsePlan(filesWith({ task }), "p");
  if (!plan?.tasks[0]) throw new Error(JSON.stringify(problems));
  return plan.tasks[0];
}

test("every key of a plan arrives", () => {
  const plan = [
    "stint: 1",
    "title: P",
    "goal: G",
    "checks: [npm run build, { run: npm test, timeout: 10m }]",
    "prerequisites: [An app, { text: Node 20, check: node -e 0 }]",
    "decisions:",
    "  - { id: d, question: How?, options: [15m, 24h], recommend: 15m, answer: 15m, assumed: true }",
    "  - { id: e, question: Why? }",
    "edge_cases: [plain, Duplicate email: return 409]",
  ].join("\n");
  expect(parsePlan(filesWith({ plan }), "p").plan).toMatchObject({
    name: "p",
    dir: "plans/p",
    title: "P",
    goal: "G",
    checks: [
      { kind: "run", run: "npm run build", timeoutMs: 600_000, red: false, at: { line: 5, column: 10 } },
      { kind: "run", run: "npm test", timeoutMs: 600_000, red: false },
    ],
    prerequisites: [{ text: "An app" }, { text: "Node 20", check: "node -e 0" }],
    decisions: [
      { id: "d", options: ["15m", "24h"], recommend: "15m", answer: "15m", assumed: true, at: { line: 8, column: 5 } },
      { id: "e", options: [], assumed: false },
    ],
    edgeCases: ["plain", "Duplicate email: return 409"],
  });
});

test("every key of a task arrives, but for tools, which is only checked and left to the agent", () => {
  const task = taskOf(
    [
      "title: --upload-pack=$(touch x)",
      "depends: [b]",
      "files: { create: [./a.ts], modify: [b.ts], delete: }",
      "estimate: 30m",
      "complexity: high",
      "tools: [read]",
      "skills: [s]",
      "role: reviewer",
      "source_docs: [docs/a.md]",
      "checks:",
      "  - { run: npm test, timeout: 90s, env: { PORT: '1' }, cwd: sub, network: true, red: false }",
      "  - exists: a.ts",
      "  - contains: { file: a.ts, text: ' ' }",
      "  - { absent: b.ts, red: false }",
      "  - judge: Is it kind?",
    ].join("\n"),
  );
  expect(task).toMatchObject({
    id: "a",
    file: "plans/p/tasks/a.md",
    title: "--upload-pack=$(touch x)",
    depends: ["b"],
    files: { create: ["a.ts"], modify: ["b.ts"], delete: [], touch: [] },
    estimateMs: 1_800_000,
    complexity: "high",
    skills: ["s"],
    role: "reviewer",
    sourceDocs: ["docs/a.md"],
    sections: { Goal: "Done." },
  });
  expect(task.checks).toEqual([
    {
      kind: "run",
      run: "npm test",
      timeoutMs: 90_000,
      env: { PORT: "1" },
      cwd: "sub",
      network: true,
      red: false,
      at: { line: 12, column: 5 },
    },
    { kind: "exists", path: "a.ts", red: true, at: { line: 13, column: 5 } },
    { kind: "contains", path: "a.ts", text: " ", red: true, at: { line: 14, column: 5 } },
    { kind: "absent", path: "b.ts", red: false, at: { line: 15, column: 5 } },
    { kind: "judge", question: "Is it kind?", red: false, at: { line: 16, column: 5 } },
  ]);
});

test("a task says only what it must", () => {
  expect(taskOf("title: A\nfiles: [a, b]\nchecks: [npm test]")).toMatchObject({
    depends: [],
    files: { create: [], modify: [], delete: [], touch: ["a", "b"] },
    estimateMs: undefined,
    complexity: "medium",
    role: "executor",
    checks: [{ kind: "run", run: "npm test", env: {}, cwd: ".", network: false, red: true }],
  });
});

test("rules arrive, and without rules.md the defaults do", () => {
  const rules = "protect: [legacy/**]\nforbid: ['**/*.pem']\nchecks: [npm run lint]\nmax_changed_lines: 10";
  expect(parseRules(filesWith({ rules }))).toMatchObject({
    problems: [],
    rules: {
      protect: ["legacy/**"],
      forbid: ["**/*.pem"],
      checks: [{ kind: "run", run: "npm run lint", red: false }],
      branch: "stint/{plan}",
      push: "never",
      remote: "origin",
      maxChangedLines: 10,
      prose: "Be kind.",
    },
  });
  expect(parseRules(new Map())).toEqual({
    problems: [],
    rules: {
      protect: [],
      forbid: [],
      checks: [],
      branch: "stint/{plan}",
      push: "never",
      remote: "origin",
      maxChangedLines: 2000,
      prose: "",
    },
  });
});

test("an unknown key names the one that was meant, or all there are", () => {
  expect(complaints({ task: "title: A\ndependz: []\nfiles: [a]\nchecks: [x]" })).toEqual([
    'tasks/a.md:3:1 error unknown-key: unknown key "dependz"; did you mean "depends"?',
  ]);
  expect(complaints({ task: "title: A\nfiles: { creat: [a], zzz: [] }\nchecks: [{ run: x, timeOut: 1m }]" })).toEqual([
    'tasks/a.md:3:10 error unknown-key: unknown key "creat"; did you mean "create"?',
    'tasks/a.md:3:22 error unknown-key: unknown key "zzz"; known keys: create, modify, delete',
    'tasks/a.md:4:20 error unknown-key: unknown key "timeOut"; did you mean "timeout"?',
  ]);
  expect(complaints({ plan: "title: P\nowner: me" })).toEqual([
    'plan.md:3:1 error unknown-key: unknown key "owner"; known keys: stint, title, goal, checks, prerequisites, decisions, edge_cases',
  ]);
  expect(complaints({ plan: `title: P\n${"k".repeat(300)}: me` })).toEqual([
    `plan.md:3:1 error unknown-key: unknown key "${"k".repeat(80)}…"; known keys: stint, title, goal, checks, prerequisites, decisions, edge_cases`,
  ]);
});

test("plans name roles, never models", () => {
  const message =
    "error model-key: a plan names roles, never models: remove this key and set the model of the role in .stint/config.yaml";
  expect(complaints({ plan: "title: P\nmodel: opus" })).toEqual([`plan.md:3:1 ${message}`]);
  expect(complaints({ task: "title: A\nfiles: [a]\nchecks: [{ judge: kind?, model: opus }, x]" })).toEqual([
    `tasks/a.md:4:26 ${message}`,
  ]);
  expect(complaints({ rules: "model: opus" })).toEqual([`.stint/rules.md:2:1 ${message}`]);
  expect(complaints({ task: "title: A\nfiles: [a]\nchecks: [{ run: x, env: { model: opus } }]" })).toEqual([]);
});

test.each<[string, string[]]>([
  ["files: [a]\nchecks: [x]", ["1:1 error bad-value: title is missing"]],
  ["title: ' '\nfiles: [a]\nchecks: [x]", ["2:1 error bad-value: title must not be empty"]],
  ['title: "a\\nb"\nfiles: [a]\nchecks: [x]', ["2:1 error bad-value: title must be a single line"]],
  [
    "title: 2024\nfiles: [a]\nchecks: [x]",
    ["2:1 error bad-value: title must be text, but is the number 2024; put it in quotes"],
  ],
  [
    "title: A\nfiles: [a]\nchecks: [true]",
    ["4:10 error bad-value: checks[0].run must be text, but is true; put it in quotes"],
  ],
  ["title: A\nfiles: a\nchecks: [x]", ['3:1 error bad-value: files must be a list or a map, but is the text "a"']],
  [
    "title: A\nfiles: [1]\nchecks: [x]",
    ["3:9 error bad-value: files[0] must be text, but is the number 1; put it in quotes"],
  ],
  [
    "title: A\nfiles: [a]\nchecks: [x]\ncomplexity: huge",
    ['5:1 error bad-value: complexity must be "low", "medium" or "high", but is the text "huge"'],
  ],
  [
    "title: A\nfiles: [a]\nchecks: [x]\nrole: opus",
    [
      '5:1 error bad-value: role must be "planner", "executor", "reviewer", "judge", "escalation" or "external", but is the text "opus"',
    ],
  ],
  [
    "title: A\nfiles: [a]\nchecks: [x]\ntools: read",
    ['5:1 error bad-value: tools must be a list, but is the text "read"'],
  ],
  [
    "title: A\nfiles: [a]\nchecks: [x]\nestimate: 30",
    ['5:1 error bad-value: estimate must be a duration from 1ms to 576h such as "90s" or "10m", but is the number 30'],
  ],
  [
    "title: A\nfiles: [a]\nchecks: [{ run: x, timeout: 0s }, { run: x, timeout: 25d }, { run: x, timeout: 577h }]",
    [
      '4:20 error bad-value: checks[0].timeout must be a duration from 1ms to 576h such as "90s" or "10m", but is the text "0s"',
      '4:45 error bad-value: checks[1].timeout must be a duration from 1ms to 576h such as "90s" or "10m", but is the text "25d"',
      '4:71 error bad-value: checks[2].timeout must be a duration from 1ms to 576h such as "90s" or "10m", but is the text "577h"',
    ],
  ],
  [
    "title: A\nfiles: [a]\nchecks: ['', {run: ' '}]",
    [
      "4:10 error empty-command: checks[0].run is an empty command, which would always pass",
      "4:15 error empty-command: checks[1].run is an empty command, which would always pass",
    ],
  ],
  [
    "title: A\nfiles: [a]\nchecks: [{ run: x, exists: y }, { red: false }, { exists: y, network: true }, { judge: x, red: true }]",
    [
      "4:10 error check-kind: checks[0] must have exactly one of run, exists, contains, absent, judge, but has run and exists",
      "4:33 error check-kind: checks[1] must have exactly one of run, exists, contains, absent, judge, but has none",
      "4:49 error check-kind: checks[2] has network, which only a run check can have",
      "4:79 error check-kind: checks[3] has red, which a judge check cannot have",
    ],
  ],
  ["title: A\nfiles: [a]\nchecks: [{ runs: x }]", ['4:12 error unknown-key: unknown key "runs"; did you mean "run"?']],
  [
    "title: A\nfiles: [/etc/passwd, ../x, a/../../b, '!a', '']\nchecks: [{ run: x, cwd: .. }]",
    [
      '3:9 error bad-path: files[0] must be a path inside the repo, relative to its root, without ".."',
      '3:22 error bad-path: files[1] must be a path inside the repo, relative to its root, without ".."',
      '3:28 error bad-path: files[2] must be a path inside the repo, relative to its root, without ".."',
      '3:39 error bad-path: files[3] must be a path inside the repo, relative to its root, without ".."',
      "3:45 error bad-value: files[4] must not be empty",
      '4:20 error bad-path: checks[0].cwd must be a path inside the repo, relative to its root, without ".."',
    ],
  ],
  [
    "title: A\nfiles: [a]\nchecks: [{ run: x, env: { A=B: c, PORT: 3000 } }]",
    [
      "4:27 error bad-value: checks[0].env.A=B must be the name of an environment variable: letters, digits and _",
      "4:35 error bad-value: checks[0].env.PORT must be text, but is the number 3000; put it in quotes",
    ],
  ],
])("the task %j is refused with what to change", (task, expected) => {
  expect(complaints({ task })).toEqual(expected.map((line) => `tasks/a.md:${line}`));
});

test.each<[string, string[]]>([
  [
    "max_changed_lines: 5_000_000",
    [
      '2:1 error bad-value: max_changed_lines must be a number, but is the text "5_000_000"; write 5000000, without quotes and underscores',
    ],
  ],
  ["max_changed_lines: 1.5", ["2:1 error bad-value: max_changed_lines must be a whole number, but is the number 1.5"]],
  ["max_changed_lines: 0", ["2:1 error bad-value: max_changed_lines must be at least 1, but is the number 0"]],
  ["branch: a..b", ['2:1 error bad-value: branch must be a branch name such as "stint/{plan}"']],
  ["branch: -x", ['2:1 error bad-value: branch must be a branch name such as "stint/{plan}"']],
  ["branch: stint/{plan}.lock", ['2:1 error bad-value: branch must be a branch name such as "stint/{plan}"']],
  [
    `branch: stint/${"a".repeat(190)}{plan}`,
    ['2:1 error bad-value: branch must be a branch name such as "stint/{plan}"'],
  ],
  ...["HEAD", "refs/heads/{plan}", "refs/tags/stint/{plan}"].map((name): [string, string[]] => [
    `branch: ${name}`,
    ['2:1 error bad-value: branch must be the name of a branch, not of a ref; write "stint/{plan}"'],
  ]),
  ...["main", "master", "develop", "'{plan}'", "feature/login", "stint"].map((name): [string, string[]] => [
    `branch: ${name}`,
    [
      '2:1 error bad-value: branch must be a branch that only runs use: start it with "stint/", or add words to {plan}, as in "stint/{plan}"',
    ],
  ]),
  ["remote: --upload-pack=x", ['2:1 error bad-value: remote must be the name of a git remote such as "origin"']],
  ["push: task", []],
  ["push: always", ['2:1 error bad-value: push must be "never", "task" or "run", but is the text "always"']],
])("the rules %j are refused with what to change", (rules, expected) => {
  expect(complaints({ rules })).toEqual(expected.map((line) => `.stint/rules.md:${line}`));
});

test.each(["stint/{plan}", "stint/night", "ai/{plan}", "{plan}-by-agents", "stint/HEAD", "team/refs/{plan}"])(
  "the branch %s is a run's own",
  (branch) => {
    expect(complaints({ rules: `branch: '${branch}'` })).toEqual([]);
    expect(parseRules(filesWith({ rules: `branch: '${branch}'` })).rules.branch).toBe(branch);
  },
);

test("a plan of a later format is refused", () => {
  expect(complaints({ plan: "stint: 2\ntitle: P" })).toEqual([
    "plan.md:2:1 error bad-value: stint must be 1, but is the number 2",
  ]);
});
