import { describe, expect, test } from "vitest";
import type { CheckEvidence } from "../../../src/engine/evidence.ts";
import type { RunCheck } from "../../../src/plan/types.ts";
import { brokenWords, cureOf, type Answered } from "../../../src/checks/cure.ts";

const check: RunCheck = {
  ...{ kind: "run", run: "npm test", timeoutMs: 600_000, env: {}, cwd: ".", network: false, red: true },
  at: { line: 14, column: 5 },
};

function shown(state: CheckEvidence["state"], why = "exit 1"): CheckEvidence {
  return { label: "npm test", state, why, tail: "", durationMs: 1 };
}

function cure(some: Partial<Answered>): string | null {
  const place = { file: "plans/x/tasks/01-a.md", isOfTask: true, isTyped: false, setupPlace: ".stint/config.yaml:3" };
  return cureOf({ check, evidence: shown("broken"), ...place, ...some });
}

describe("a check that answers with the network", () => {
  const needs = "plans/x/tasks/01-a.md:14: this check needs the network: write";
  const withNetwork = shown("green");

  test("is named with the line to write, with all its keys", () => {
    expect(cure({ withNetwork })).toBe(`${needs} { run: npm test, network: true }`);
    expect(cure({ withNetwork: shown("red") })).toBe(`${needs} { run: npm test, network: true }`);
    const full = { ...check, timeoutMs: 90_000, env: { PORT: "1" }, cwd: "sub", red: false };
    const keys = 'run: npm test, timeout: 90s, env: { PORT: "1" }, cwd: sub, red: false, network: true';
    expect(cure({ check: full, withNetwork })).toBe(`${needs} { ${keys} }`);
    const hard = { ...check, run: "echo 'a: b' # c\ncurl x, y" };
    expect(cure({ check: hard, withNetwork })).toBe(`${needs} { run: "echo 'a: b' # c\\ncurl x, y", network: true }`);
  });

  test("is red: false only in a task, where that can be written", () => {
    const regression = { ...check, red: false };
    const evidence = shown("red");
    expect(cure({ check: regression, evidence, withNetwork })).toContain(
      "{ run: npm test, red: false, network: true }",
    );
    expect(cure({ check: regression, evidence, withNetwork, isOfTask: false, file: ".stint/rules.md" })).toBe(
      ".stint/rules.md:14: this check needs the network: write { run: npm test, network: true }",
    );
  });

  test("has no key where it was typed", () => {
    expect(cure({ withNetwork, isTyped: true })).toBe(
      "this check needs the network, which `stint do` cannot give: write a plan with { run: npm test, network: true }",
    );
  });
});

test("a check that passes when it is run again is flaky, not red", () => {
  const flaky = "passed when it was run again, so it is flaky: fix it first, or a run may blame a task for it";
  expect(cure({ evidence: shown("red"), isFlaky: true, file: ".stint/rules.md", isOfTask: false })).toBe(
    `.stint/rules.md:14: ${flaky}`,
  );
  expect(cure({ evidence: shown("red"), isFlaky: false, file: ".stint/rules.md", isOfTask: false })).toContain(
    "already fails on HEAD",
  );
});

test("what the network does not help gets its own cure, or none", () => {
  const timeout = "did not end within 0.1 s. Raise the check's `timeout:`, or make the command end by itself.";
  const evidence = shown("broken", timeout);
  expect(cure({ evidence, withNetwork: evidence })).toBe(
    "plans/x/tasks/01-a.md:14: Raise the check's `timeout:`, or make the command end by itself.",
  );
  expect(cure({ evidence: shown("red"), withNetwork: shown("red") })).toBeNull();
  expect(cure({ evidence: shown("red"), withNetwork: shown("broken") })).toBeNull();
  expect(cure({ evidence: shown("red") })).toBeNull();
  expect(cure({ evidence: shown("green") })).toBeNull();
});

test("a check of the rules that is red already says what follows; one of the plan or a task may be red", () => {
  const evidence = shown("red");
  expect(cure({ evidence, isOfTask: false, file: ".stint/rules.md" })).toBe(
    ".stint/rules.md:14: already fails on HEAD, so only a task that fixes it can pass: fix it first, or remove it from the rules",
  );
  expect(cure({ evidence: shown("green"), isOfTask: false, file: ".stint/rules.md" })).toBeNull();
  expect(cure({ evidence, isOfTask: false, file: "plans/x/plan.md" })).toBeNull();
  expect(cure({ evidence, check: { ...check, red: false } })).toBe(
    "plans/x/tasks/01-a.md:14: already fails on HEAD, before any work: fix it first, remove it, or drop `red: false` if the task is to fix it",
  );
});

test("a failed set-up is fixed where it is set", () => {
  expect(cure({ evidence: { ...shown("broken", "set-up failed (exit 9): x. Y."), cause: "set-up" } })).toBe(
    ".stint/config.yaml:3: set-up fails on this commit, with the network: fix workspace.setup, or what it needs",
  );
});

test("the last sentence of why a check is broken is the cure; other reasons have none", () => {
  expect(brokenWords("interrupted before it ended. Run it again.")).toEqual({
    what: "interrupted before it ended",
    cure: "Run it again.",
  });
  expect(brokenWords("set-up failed (exit 9): a. b")).toEqual({
    what: "set-up failed (exit 9): a. b",
    cure: undefined,
  });
});

test("a file that only the user's checkout has is named, unless the check says itself what helps", () => {
  const onlyHere = ".env";
  const words =
    "plans/x/tasks/01-a.md:14: .env is in your checkout but not in git, so no run has it: commit it, or let workspace.setup create it";
  expect(cure({ evidence: shown("red"), onlyHere })).toBe(words);
  expect(cure({ onlyHere })).toBe(words);
  expect(cure({ evidence: shown("broken", "x: not found. Install it."), onlyHere })).toMatch(/Install it\.$/);
  expect(cure({ evidence: shown("red") })).toBeNull();
});
