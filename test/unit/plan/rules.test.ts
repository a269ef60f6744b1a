import { expect, test } from "vitest";
import { parseRules, proposedRulesProblems, rulesFile, rulesText } from "../../../src/plan/rules.ts";
import { complaints, filesWith } from "../../rig/front-matter.ts";

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

test("proposed rules are checked as if they were in effect, and their problems are warnings", () => {
  const bytes = new TextEncoder().encode("---\nprotect: x\nbranch: main\n---\n");
  const file = "plans/p/proposed-rules.md";
  expect(proposedRulesProblems(new Map([[file, { bytes }]]), "plans/p")).toMatchObject([
    { file, line: 2, severity: "warning", code: "bad-value" },
    { file, line: 3, severity: "warning", code: "bad-value" },
  ]);
  expect(proposedRulesProblems(new Map([[file, { unreadable: "is a FIFO" }]]), "plans/p")).toEqual([]);
  expect(proposedRulesProblems(new Map(), "plans/p")).toEqual([]);
});

test("the text of the rules is empty where there are none to read", () => {
  expect(rulesText(filesWith({ rules: "push: task" }))).toBe("---\npush: task\n---\nBe kind.\n");
  expect(rulesText(new Map([[rulesFile, { unreadable: "is a FIFO" }]]))).toBe("");
  expect(rulesText(new Map())).toBe("");
});
