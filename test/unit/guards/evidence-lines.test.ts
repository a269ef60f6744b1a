import * as fc from "fast-check";
import { expect, test } from "vitest";
import { addedLines, changedLines, evidenceLines } from "../../../src/guards/evidence-lines.ts";
import { guardsLimits } from "../../../src/guards/limits.ts";
import { planLimits } from "../../../src/plan/limits.ts";

test("Lines are shown as a diff shows them, and those beyond the bound are counted.", () => {
  expect(evidenceLines([{ sign: "-", line: 3, text: "  a();  " }])).toBe("- 3:   a();");
  const many = Array.from({ length: guardsLimits.evidenceLinesMax + 2 }, (_, at) => {
    return { sign: "+" as const, line: at + 1, text: "x" };
  });
  const shown = evidenceLines(many).split("\n");
  expect(shown).toHaveLength(guardsLimits.evidenceLinesMax + 1);
  expect(shown.at(-1)).toBe("  and 2 more lines");
  const long = evidenceLines([{ sign: "+", line: 1, text: "x".repeat(planLimits.evidenceLineCharsMax * 2) }]);
  expect(long.length).toBeLessThan(planLimits.evidenceLineCharsMax + 10);
});

test("A line that moved or was indented is not new; one that occurs more often than before is.", () => {
  const before = "a\nb\nb\n";
  expect(changedLines(before, "b\n  a\nb\n")).toEqual([]);
  expect(changedLines(before, "a\nb\r\nc\n\n")).toEqual([
    { sign: "-", line: 3, text: "b" },
    { sign: "+", line: 3, text: "c" },
  ]);
  expect(addedLines("a\n", "a\na\n")).toEqual([{ sign: "+", line: 2, text: "a" }]);
  expect(addedLines(null, "a")).toEqual([{ sign: "+", line: 1, text: "a" }]);
  expect(changedLines("a", null)).toEqual([{ sign: "-", line: 1, text: "a" }]);
});

test("However lines are shuffled, none is new, and whatever is put in between is.", () => {
  const lines = fc.array(fc.constantFrom<string>("a", "b", "  c", "", "d();"), { maxLength: 12 });
  fc.assert(
    fc.property(lines, fc.nat(), (before, at) => {
      const shuffled = before.toSorted((a, b) => a.length - b.length || a.localeCompare(b));
      expect(changedLines(before.join("\n"), shuffled.join("\n"))).toEqual([]);
      const place = at % (before.length + 1);
      const after = before.toSpliced(place, 0, "new");
      expect(changedLines(before.join("\n"), after.join("\n"))).toEqual([{ sign: "+", line: place + 1, text: "new" }]);
    }),
    { numRuns: 100 },
  );
});
