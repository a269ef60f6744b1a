import * as fc from "fast-check";
import { expect, test } from "vitest";
import { planningLimits } from "../../../../src/planning/limits.ts";
import { oneLine } from "../../../../src/planning/map/facts.ts";

test("A text becomes one line: blanks are folded, and a long one ends with an ellipsis.", () => {
  expect(oneLine("  def f(\n\ta,\r\n  b)  ")).toBe("def f( a, b)");
  const max = planningLimits.mapLineCharsMax;
  expect(oneLine("x".repeat(max))).toBe("x".repeat(max));
  expect(oneLine("x".repeat(max + 1))).toBe(`${"x".repeat(max - 1)}…`);
});

test("Any text fits, on one line, and no character is cut in half.", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom("a", " ", "\n", "é", "😀"), maxLength: 400, size: "max" }),
      (text) => {
        const line = oneLine(text);
        expect(line.length).toBeLessThanOrEqual(planningLimits.mapLineCharsMax);
        expect(line).not.toMatch(/[\n\r\t\p{Cs}]/u);
      },
    ),
  );
});
