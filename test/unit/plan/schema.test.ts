import { expect, test } from "vitest";
import { parsePlan } from "../../../src/plan/parse.ts";
import { complaints, filesWith, taskOf } from "../../rig/front-matter.ts";

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
])("the task %j is refused with what to change", (task, expected) => {
  expect(complaints({ task })).toEqual(expected.map((line) => `tasks/a.md:${line}`));
});

test("a plan of a later format is refused", () => {
  expect(complaints({ plan: "stint: 2\ntitle: P" })).toEqual([
    "plan.md:2:1 error bad-value: stint must be 1, but is the number 2",
  ]);
});
