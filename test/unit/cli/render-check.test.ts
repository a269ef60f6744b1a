import { expect, test } from "vitest";
import { checkLines, saidOf, saidText, summaryOf, type Said } from "../../../src/cli/render-check.ts";
import type { Checked, GroupHead } from "../../../src/approval/check-plan.ts";
import type { Task } from "../../../src/plan/types.ts";
import { plain } from "../../../src/cli/paint.ts";
import type { CheckEvidence } from "../../../src/engine/evidence.ts";
import type { MechanicalCheck } from "../../../src/checks/checks.ts";
import { rulesFile } from "../../../src/plan/rules.ts";

const check = { kind: "exists", path: "a.txt", red: true, at: { line: 7, column: 1 } } as MechanicalCheck;
const about = { isTyped: false, setupPlace: ".stint/config.yaml:2" };

function said(
  evidence: Partial<CheckEvidence>,
  file = "plans/p/tasks/a.md",
  more: Partial<GroupHead & Checked> = {},
): Said {
  const whole: CheckEvidence = {
    label: "npm test",
    state: "red",
    why: "exit code 1",
    tail: "",
    durationMs: 1,
    ...evidence,
  };
  const group = { owner: "a", task: undefined, file, checked: [{ check, evidence: whole, ...more }], questions: [] };
  return saidOf({ ...group, ...more }, about)[0]!;
}

const lines = (one: Said, isSetupShown = false) => checkLines(one, { paint: plain, isSetupShown });

test("a green check says which tests ran, a red one why", () => {
  expect(lines(said({}))).toEqual(["  red    npm test (exit code 1)"]);
  expect(lines(said({ state: "green", why: "" }))).toEqual(["  green  npm test"]);
  const tests = [{ runner: "vitest", run: 2, skipped: 0, groups: {} }] as const;
  expect(saidText(said({ state: "green", why: "", tests }))).toMatch(/^npm test \(2 tests/);
});

test("a broken check has how to fix it below, and not twice", () => {
  const [head, cure] = lines(said({ state: "broken", why: "foo: not found. Install it first." }));
  expect([head, cure]).toEqual([
    "  broken npm test (foo: not found)",
    "         plans/p/tasks/a.md:7: Install it first.",
  ]);
});

test("a check of the rules that is red shows the end of its output, neutralised", () => {
  expect(lines(said({ tail: "a\nb\u{7}\n" }, rulesFile)).slice(-2)).toEqual(["         | a", "         | b\\u{7}"]);
});

test("a check of a task or plan that is red before the work shows its last three lines that say something, and its file", () => {
  const log = "/state/check-log/task-a/check-1.log";
  const tail = "> vitest\n\nnpm error Missing script: x\n\n\nnpm error To see a list\nnpm error A log is there\n";
  const expected = [
    "  red    npm test (exit code 1)",
    "         | npm error Missing script: x",
    "         | npm error To see a list",
    "         | npm error A log is there",
    `         log: ${log}`,
  ];
  expect(lines(said({ tail, log }, undefined, { task: { id: "a" } as Task }))).toEqual(expected);
  expect(lines(said({ tail, log }, "plans/p/plan.md"))).toEqual(expected);
  expect(lines(said({ tail: " \n", log }))).toHaveLength(1);
  expect(lines(said({ state: "green", why: "", tail, log }))).toHaveLength(1);
});

test("progress bars, colours and very long lines are shown as a terminal would leave them", () => {
  const bar = "\r[  8%] \u{1b}[32m#\u{1b}[0m\r[ 16%] ##\n";
  const tail = `${bar}\u{1b}[31mAssertionError\u{1b}[0m\n${"x".repeat(16_000)}\n`;
  const [first, second, third] = lines(said({ tail }, rulesFile)).slice(-3);
  expect([first, second]).toEqual(["         | [ 16%] ##", "         | AssertionError"]);
  expect(third).toMatch(/^ {9}\| x{500}…$/);
  const setup = said({ state: "broken", why: "set-up failed", cause: "set-up", tail: `set-up failed\n${bar}` });
  expect(lines(setup).at(-1)).toBe("         | [ 16%] ##");
});

test("a regression check that fails before any work, and a broken one, show the end of their output, its file and how to fix it", () => {
  const task = { id: "a" } as Task;
  const log = "/state/check-log/task-a/check-1.log";
  const red = said({ tail: "a\n1 failed\n", log }, undefined, { task, check: { ...check, red: false } });
  expect(lines(red)).toEqual([
    "  red    npm test (exit code 1)",
    "         plans/p/tasks/a.md:7: already fails on HEAD, before any work: fix it first, remove it, or drop `red: false` if the task is to fix it",
    "         | a",
    "         | 1 failed",
    `         log: ${log}`,
  ]);
  const broken = said({ state: "broken", why: "killed. Fix it.", tail: "oh\n", log });
  expect(lines(broken).slice(-2)).toEqual(["         | oh", `         log: ${log}`]);
  expect(lines(said({ state: "broken", why: "killed. Fix it.", tail: " \n", log }))).toHaveLength(2);
});

test("what set-up printed is shown with the first check that it broke, and only there", () => {
  const broken = said({ state: "broken", why: "set-up failed", cause: "set-up", tail: "set-up failed\nnpm ERR\n" });
  expect(lines(broken).at(-1)).toBe("         | npm ERR");
  expect(lines(broken, true)).toEqual(["  broken npm test (set-up failed)"]);
});

test("a judge's question stays open, and the summary counts the states that occur", () => {
  const group = { owner: "a", task: undefined, file: "f", checked: [], questions: ["Is it clear?"] };
  const open = saidOf(group, about);
  expect(open).toMatchObject([{ label: "judge: Is it clear?", state: "open", cure: null }]);
  expect(summaryOf([said({}), said({}), ...open])).toBe("3 checks: 2 red, 1 open");
});

test("a long output of a failed set-up keeps its first lines, where package managers say why", () => {
  const output = Array.from({ length: 40 }, (_, at) => `line ${at + 1}`);
  const tail = ["set-up failed (exit 1): npm ci", ...output].join("\n");
  const shown = lines(said({ state: "broken", why: "set-up failed", cause: "set-up", tail })).slice(2);
  const expected = [...output.slice(0, 5), "…", ...output.slice(-14)];
  expect(shown).toEqual(expected.map((line) => `         | ${line}`));
});
