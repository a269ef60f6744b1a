import * as fc from "fast-check";
import { expect, test } from "vitest";
import { row, type Cell } from "../../../../src/cli/live-view/drawing.ts";
import { widthOf } from "../../../../src/cli/width.ts";

test("the flexible cell takes what the others leave; cells at the end are dropped where there is no room", () => {
  const cells: Cell[] = [
    { text: "id", width: 4 },
    { text: "a long title", flex: true },
    { text: "5:00", width: 6, align: "right" },
  ];
  expect(row(cells, 30)).toBe("id   a long title         5:00");
  expect(row(cells, 20)).toBe("id   a long …   5:00");
  expect(row(cells, 14)).toBe("id   a long t…");
});

test("a line is never wider than it may be", () => {
  const cell = fc.record(
    {
      text: fc.string({ unit: fc.constantFrom("a", " ", "東", "📄"), maxLength: 20 }),
      width: fc.nat(20),
      align: fc.constant("right" as const),
    },
    { requiredKeys: ["text"] },
  );
  const cells = fc.array(cell, { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(cells, fc.nat(6), fc.integer({ min: 1, max: 80 }), (fixed, flexAt, width) => {
      const drawn = fixed.map((one, at): Cell => (at === flexAt ? { text: one.text, flex: true } : (one as Cell)));
      expect(widthOf(row(drawn, width))).toBeLessThanOrEqual(width);
    }),
  );
});
