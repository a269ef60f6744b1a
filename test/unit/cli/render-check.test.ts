import { expect, test } from "vitest";
import { checkLines, saidOf, saidText, summaryOf, type Said } from "../../../src/cli/render-check.ts";
import { plain } from "../../../src/cli/paint.ts";
import type { CheckEvidence } from "../../../src/engine/evidence.ts";
import type { MechanicalCheck } from "../../../src/checks/checks.ts";
import { rulesFile } from "../../../src/plan/rules.ts";

const check = { kind: "exists", path: "a.txt", red: true, at: { line: 7, column: 1 } } as MechanicalCheck;
const about = { isTyped: false, setupPlace: ".stint/config.yaml:2" };

function said(evidence: Partial<CheckEvidence>, file = "plans/p/tasks/a.md"): Said {
  const whole: CheckEvidence = {
    label: "npm test",
    state: "red",
    why: "exit code 1",
    tail: "",
    durationMs: 1,
    ...evidence,
  };
  const group = { owner: "a", task: undefined, file, checked: [{ check, evidence: whole }], questions: [] };
  return saidOf(group, about)[0]!;
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

test("a check of the rules that is red shows the end of its output, neutralised; one of a task does not", () => {
  expect(lines(said({ tail: "a\nb\u{7}\n" }, rulesFile)).slice(-2)).toEqual(["         | a", "         | b\\u{7}"]);
  expect(lines(said({ tail: "a\nb\n" }))).toHaveLength(1);
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
