import { expect, test } from "vitest";
import { describeGuards, describeReds, describeSome } from "../../../src/checks/describe.ts";
import { checksLimits } from "../../../src/checks/limits.ts";
import type { CheckEvidence, GuardEvidence } from "../../../src/engine/evidence.ts";

const max = checksLimits.pathsNamedMax;
const names = (count: number) => Array.from({ length: count }, (_, at) => `n${at}`);

test("Names are joined as a sentence has them, and those beyond the bound are counted.", () => {
  expect(["", "a", "a b", "a b c"].map((all) => describeSome(all.split(" ").filter(Boolean)))).toEqual([
    "",
    "a",
    "a and b",
    "a, b and c",
  ]);
  expect(describeSome(names(max))).toBe(`${names(max - 1).join(", ")} and n${max - 1}`);
  expect(describeSome(names(max + 3))).toBe(`${names(max).join(", ")} and 3 more`);
});

test("Violations name their guard and file, and a guard of the whole change has no file.", () => {
  const violation = (path: string): GuardEvidence => ({ guard: "scope", path, why: "was changed" });
  expect(describeGuards([violation("a.ts"), { guard: "size", path: "", why: "900 lines changed" }])).toBe(
    "scope: a.ts was changed; size: 900 lines changed",
  );
  expect(describeGuards(names(max + 2).map(violation))).toMatch(/; and 2 more$/);
});

test("Only checks that are not green and not excused are described, with the task they belong to.", () => {
  const evidence = (label: string, more: Partial<CheckEvidence>): CheckEvidence => {
    return { label, state: "red", why: "exit 1", tail: "", durationMs: 1, ...more };
  };
  const checks = [
    evidence("lint", { state: "green" }),
    evidence("slow", { excused: true }),
    evidence("npm test", {}),
    evidence("tsc", { state: "broken", why: "not found", of: "01-a" }),
  ];
  expect(describeReds(checks)).toBe("red: npm test (exit 1); broken: tsc (not found), a check of 01-a");
});
