import { expect, test } from "vitest";
import { guardsLimits } from "../../../src/guards/limits.ts";
import type { Check, TaskFiles } from "../../../src/plan/types.ts";
import { settleRequest, type ScopeRequest } from "../../../src/guards/scope-request.ts";

const at = { line: 1, column: 1 };
const noFiles: TaskFiles = { create: [], modify: [], delete: [], touch: [] };

function runs(run: string, cwd = ""): Check {
  return { kind: "run", run, timeoutMs: 1, env: {}, cwd, network: false, red: true, at };
}

interface Given extends Partial<Omit<ScopeRequest, "judging">> {
  readonly files?: Partial<TaskFiles>;
  readonly checks?: readonly Check[];
  readonly setup?: string;
}

function settle(wanted: readonly string[], given: Given = {}) {
  const { files = { create: ["src/a.ts"] }, checks = [runs("npm test")], setup = "", ...more } = given;
  const judging = { files: { ...noFiles, ...files }, checks, setup };
  const rules = { protect: [], forbid: [] };
  const rest = { task: "01-a", attempt: 2, words: "", count: 1, granted: [], inHand: [], rules } as const;
  return settleRequest({ ...rest, policy: "grant", wanted, judging, others: [], ...more });
}

const of = { task: "01-a", attempt: 2 };

test("the settings decide on plain files: grant, ask or refuse", () => {
  expect(settle(["src/x.ts", "src/y.ts"])).toEqual({
    ...{ type: "scope-decided", ...of, files: ["src/x.ts", "src/y.ts"], granted: true },
    why: "The settings grant them.",
  });
  expect(settle(["src/x.ts"], { policy: "refuse" })).toEqual({
    ...{ type: "scope-decided", ...of, files: ["src/x.ts"], granted: false },
    why: "The settings refuse requests for files.",
  });
  expect(settle(["src/x.ts"], { policy: "ask", words: "x holds the type" })).toEqual({
    ...{ type: "question", ...of, id: "01-a.2", about: "scope", options: ["grant", "refuse"], files: ["src/x.ts"] },
    question: 'May it also create or change src/x.ts? It says: "x holds the type"',
  });
});

test("settings alone do not grant what somebody has in hand", () => {
  const inHand = [{ task: "04-d", claims: { paths: ["src/x.ts"], folders: ["docs/"] } }];
  expect(settle(["src/y.ts"], { inHand })).toMatchObject({ type: "scope-decided", granted: true });
  expect(settle(["src/y.ts", "docs/a.md"], { inHand })).toMatchObject({
    type: "question",
    question: "May it also create or change docs/a.md (taken by hand with 04-d), src/y.ts?",
  });
});

test("a person is asked under any settings but refuse about what guards the checks, and the question begins with those", () => {
  const asked = settle(["src/x.ts", "test/a.test.ts", "vitest.config.ts", "legacy/a.ts"], {
    rules: { protect: ["legacy/**"], forbid: [] },
  });
  expect(asked).toMatchObject({
    type: "question",
    files: ["test/a.test.ts", "vitest.config.ts", "legacy/a.ts", "src/x.ts"],
    question:
      "May it also create or change test/a.test.ts (test file, protected), vitest.config.ts (settings of a test runner, protected), legacy/a.ts (by the rules, protected), src/x.ts?",
  });
  expect(settle(["test/a.test.ts"], { policy: "refuse" })).toMatchObject({ type: "scope-decided", granted: false });
});

test.each<[string, Given]>([
  ["scripts/accept.sh", { checks: [runs("sh scripts/accept.sh")] }],
  ["scripts/accept.sh", { checks: [runs("./scripts/accept.sh --all>log")] }],
  ["scripts/accept.sh", { checks: [runs("cd x; sh '../scripts/accept.sh'", "x")] }],
  ["Scripts/Accept.sh", { checks: [runs("sh scripts/accept.sh")] }],
  ["pkg/accept.sh", { checks: [runs("sh accept.sh", "pkg")] }],
  ["acceptance/run.js", { checks: [runs("node -e \"require('./acceptance/run')\"")] }],
  ["acceptance/run.py", { checks: [runs("python3 -m acceptance.run")] }],
  ["acceptance/deep/cases.json", { checks: [runs("sh run-all acceptance/")] }],
  ["cases/one.txt", { checks: [runs("cat cases/*.txt")] }],
  ["src/list.txt", { checks: [{ kind: "contains", path: "src/list.txt", text: "a", red: true, at }] }],
  ["package.json", {}],
  ["pkg/Makefile", {}],
  ["vite.config.ts", {}],
  ["tools/setup.sh", { setup: "sh tools/setup.sh" }],
])("%s could decide what the checks find, so a person is asked", (path, given) => {
  expect(settle([path], given)).toMatchObject({ type: "question", files: [path] });
});

test("what judges another task is asked about, too; what that task may write is its work, and plain", () => {
  const others = [{ files: { ...noFiles, modify: ["src/b.ts"] }, checks: [runs("sh scripts/b.sh src/b.ts")] }];
  const question = "May it also create or change scripts/b.sh (a check of another task names it)?";
  expect(settle(["scripts/b.sh"], { others })).toMatchObject({ type: "question", question });
  expect(settle(["src/b.ts", "src/x.ts"], { others })).toMatchObject({ type: "scope-decided", granted: true });
});

test.each<[string, Given]>([
  ["src/x.ts", { checks: [runs("npx vitest run src/a.test.ts && npx tsc -p .")] }],
  ["src/x.ts", { checks: [runs("npx eslint src")] }],
  ["docs/guide.md", { setup: "npm ci" }],
  ["src/makefiles.ts", {}],
  ["pages/[id].js", {}],
])("%s is plain, also where checks speak of what lies near it", (path, given) => {
  expect(settle([path], given)).toMatchObject({ type: "scope-decided", granted: true, files: [path] });
});

test.each([
  ["../x", "leaves the repo; a plan may only name files inside it"],
  ["/etc/passwd", "is absolute; write it relative to the repo root"],
  ["src/../../x", "leaves the repo; a plan may only name files inside it"],
  [".git/hooks/pre-commit", "is inside .git, which no task may touch"],
  [".stint/config.yaml", "is part of the plan or settings, which agents must not change"],
  [".STINT/rules.md", "is part of the plan or settings, which agents must not change"],
  ["plans/work/tasks/01-a.md", "is part of the plan or settings, which agents must not change"],
  ["deploy.pem", "may never change: it is a place for keys and secrets"],
  ["secret/a.txt", "may never change: the rules forbid it"],
  ["src/**", "is not a single file; ask for each by its path"],
  ["src/", "is not a single file; ask for each by its path"],
  ["", "is empty; write a path relative to the repo root"],
  ["a\\b", "contains a backslash; separate folders with /"],
  ["x".repeat(guardsLimits.grantedPathCharsMax + 1), "is too long to be read in a question"],
])("%j is never granted, whoever is asked", (path, why) => {
  const rules = { protect: [], forbid: ["secret/**"] };
  for (const policy of ["grant", "ask"] as const) {
    const decided = settle([path], { policy, rules });
    expect(decided).toMatchObject({ type: "scope-decided", files: [], granted: false });
    expect("why" in decided && decided.why).toContain(`None can be granted. Cannot be granted: ${path.slice(0, 100)}`);
    expect("why" in decided && decided.why).toContain(` ${why}.`);
  }
});

test("names that a person cannot see as they are, are never granted, and are shown with what they hide", () => {
  for (const [path, shown] of [
    ["src/\u001b[2Jx.ts", "src/\\u{1b}[2Jx.ts contains a control character"],
    ["src/\u202Est.x", "src/\\u{202e}st.x contains characters that cannot be seen"],
    ["src/x\u200b.ts", "src/x\\u{200b}.ts contains characters that cannot be seen"],
    ["a\nb", "a\\nb contains a control character"],
  ] as const) {
    const decided = settle([path]);
    expect(decided).toMatchObject({ granted: false, files: [], why: expect.stringContaining(shown) });
  }
  expect(settle(["src/日本語.ts"])).toMatchObject({ granted: true, files: ["src/日本語.ts"] });
});

test("what can be granted is not refused for what cannot, which is said beside it", () => {
  expect(settle(["../x", "src/x.ts"])).toMatchObject({
    granted: true,
    files: ["src/x.ts"],
    why: "The settings grant them. Cannot be granted: ../x leaves the repo; a plan may only name files inside it.",
  });
  expect(settle(["../x", "src/x.ts"], { policy: "ask" })).toMatchObject({
    files: ["src/x.ts"],
    question: expect.stringMatching(/^May it also create or change src\/x\.ts\? Cannot be granted: \.\.\/x leaves/),
  });
});

test("the agent's words are quoted without what a terminal obeys, and not beyond a bound", () => {
  const asked = settle(["src/x.ts"], { policy: "ask", words: `\u001b[2J\n${"y".repeat(10_000)}` });
  const question = asked.type === "question" ? asked.question : "";
  expect(question).toContain('It says: "\\u{1b}[2J\\nyyy');
  expect(question.length).toBeLessThan(guardsLimits.quotedCharsMax + 100);
});

test.each<[string, Partial<TaskFiles>]>([
  ["src/a.ts", { create: ["src/a.ts"] }],
  ["./src/a.ts", { modify: ["src/a.ts"] }],
  ["src/a.test.ts", { modify: ["src/a.test.ts"] }],
  ["src/deep/b.ts", { touch: ["src/**"] }],
])("%s is the task's already and needs nobody", (path, files) => {
  expect(settle([path], { files, policy: "ask" })).toMatchObject({
    ...{ type: "scope-decided", files: [], granted: false, why: "The task may change them already." },
  });
});

test("a glob that lets a task create does not cover changing, and one for code does not cover its tests", () => {
  expect(settle(["src/b.ts"], { files: { create: ["src/**"] } })).toMatchObject({ granted: true, files: ["src/b.ts"] });
  expect(settle(["src/b.test.ts"], { files: { touch: ["src/**"] } })).toMatchObject({ type: "question" });
});

test("what was granted is covered from then on", () => {
  expect(settle(["src/x.ts"], { granted: ["src/x.ts"] })).toMatchObject({ files: [], granted: false });
  expect(settle(["test/a.test.ts"], { granted: ["test/a.test.ts"] })).toMatchObject({ files: [], granted: false });
});

test("the settings grant a few requests of a task; then a person is asked, so that asking comes to an end", () => {
  expect(settle(["src/x.ts"], { count: guardsLimits.scopeGrantsMax })).toMatchObject({ granted: true });
  expect(settle(["src/x.ts"], { count: guardsLimits.scopeGrantsMax + 1 })).toMatchObject({ type: "question" });
});
