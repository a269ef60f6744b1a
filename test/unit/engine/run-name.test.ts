import * as fc from "fast-check";
import { expect, test } from "vitest";
import { nextRunNumber, runName, runsCalled } from "../../../src/engine/run-name.ts";

const run = (id: string, plan: string, number?: number) => ({ run: id, plan, number });

test("people call a run by its plan and number; one without a number has only its id", () => {
  expect(runName(run("20261116-100000-work-0000", "work", 3))).toBe("work#3");
  expect(runName(run("20261116-100000-work-0000", "work"))).toBe("20261116-100000-work-0000");
});

test("a number is never given twice, whichever earlier runs are gone or cannot be read", () => {
  expect(nextRunNumber([])).toBe(1);
  expect(nextRunNumber([{ number: 7 }, { number: 3 }])).toBe(8);
  expect(nextRunNumber([{}, {}, { number: 2 }])).toBe(4);
  fc.assert(
    fc.property(fc.array(fc.boolean(), { maxLength: 20 }), (keeps) => {
      let runs: { readonly number: number }[] = [];
      const given = new Set<number>();
      for (const keep of keeps) {
        const number = nextRunNumber(runs);
        expect(given.has(number)).toBe(false);
        given.add(number);
        runs = [...(keep ? runs : []), { number }];
      }
    }),
  );
});

test("an exact name counts before a plan, a plan before the beginning of an id", () => {
  const [a, b, other] = [
    run("20261116-1-w-0000", "w", 1),
    run("20261116-2-w-0000", "w", 2),
    run("20261117-1-2026-0", "2026", 1),
  ];
  const all = [a, b, other];
  expect(runsCalled(all, "w#1")).toEqual([a]);
  expect(runsCalled(all, "w")).toEqual([b]);
  expect(runsCalled(all, a.run)).toEqual([a]);
  expect(runsCalled(all, "2026")).toEqual([other]);
  expect(runsCalled(all, "20261116")).toEqual([a, b]);
  expect(runsCalled(all, "20261116-2")).toEqual([b]);
  for (const asked of ["", "w#3", "#1", "w#", "x"]) expect(runsCalled(all, asked), asked).toEqual([]);
});
