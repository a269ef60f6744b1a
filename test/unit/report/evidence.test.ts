import { expect, test } from "vitest";
import type { CheckEvidence } from "../../../src/engine/evidence.ts";
import { evidenceLines, proofOf } from "../../../src/report/evidence.ts";
import { reportLimits } from "../../../src/report/limits.ts";

const green: CheckEvidence = { key: "k", label: "npm test", state: "green", why: "", tail: "", durationMs: 1 };
const red: CheckEvidence = { ...green, state: "red", why: "exit 1", tail: "first\nlast\n" };

test("a check is compared with what the same check showed before, by its key and otherwise by its label", () => {
  const { key: _, ...judged } = { ...green, label: "judge: good?" };
  const before: readonly CheckEvidence[] = [red, { ...green, label: "judge: good?", key: "other" }, judged];
  expect(proofOf([{ ...green, label: "renamed" }, judged, { ...green, key: "new" }], before)).toEqual([
    { label: "renamed", words: "red before (exit 1) → green after" },
    { label: "judge: good?", words: "green before → green after" },
    { label: "npm test", words: "green" },
  ]);
});

test("what makes a check prove less, or more, is said with it", () => {
  const tests = [{ runner: "vitest", run: 12, skipped: 0, groups: {} } as const];
  const odd: CheckEvidence = { ...green, tests, flaky: true, cached: true, excused: true, of: "01-a" };
  expect(proofOf([odd, { ...green, proof: "exit code only" }]).map(({ words }) => words)).toEqual([
    "green; 12 tests of vitest; flaky: red and green on the same tree; reused: same tree; also failing without this work; a check of 01-a",
    "green; exit code only",
  ]);
});

test("a failure is shown by what guards found and by the end of what red checks printed", () => {
  const guards = [{ guard: "scope", path: "a.ts", why: "is not its file", evidence: "+x" }] as const;
  const checks = [green, { ...red, excused: true } as const, { ...red, failing: ["a.test.ts: adds"] }];
  expect(evidenceLines({ guards, checks })).toEqual([
    "scope: a.ts is not its file",
    "| +x",
    "red: npm test (exit 1)",
    "failing test: a.test.ts: adds",
    "| first",
    "| last",
  ]);
});

test("of much evidence the beginning is shown, and how much there is", () => {
  const guards = Array.from({ length: 500 }, (_, at) => ({ guard: "scope", path: `${at}`, why: "no" }) as const);
  const lines = evidenceLines({ guards, checks: [] });
  expect(lines).toHaveLength(reportLimits.reportEvidenceLinesMax + 1);
  expect(lines.at(-1)).toBe(`… and ${500 - reportLimits.reportEvidenceLinesMax} more lines`);
  const tail = Array.from({ length: 500 }, (_, at) => `${at}`).join("\n");
  expect(evidenceLines({ guards: [], checks: [{ ...red, tail }] }).at(-1)).toBe("| 499");
});

test("what checks printed is shown as a terminal would leave it; what guards found, as it is", () => {
  const checks = [{ ...red, tail: "\r 8%\r16% \u{1b}[32m##\u{1b}[0m\n\u{1b}[31mfailed\u{1b}[0m\n" }];
  const guards = [{ guard: "scope", path: "a", why: "no", evidence: "+ 1: \u{1b}[8mx\ry" }] as const;
  expect(evidenceLines({ guards: [], checks }).slice(1)).toEqual(["| 16% ##", "| failed"]);
  expect(evidenceLines({ guards, checks: [] }).at(-1)).toBe("| + 1: \u{1b}[8mx\ry");
});
