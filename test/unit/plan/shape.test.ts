import { expect, test } from "vitest";
import { shapeOf } from "../../../src/plan/shape.ts";

const minuteMs = 60_000;
const task = (id: string, depends: string[] = [], minutes?: number) => ({
  id,
  depends,
  estimateMs: minutes === undefined ? undefined : minutes * minuteMs,
});

test("a plan's waves follow from what waits for what, its critical path from its estimates", () => {
  const tasks = [task("a", [], 20), task("b", ["a"], 60), task("c", ["a"], 15), task("d", ["c"], 15), task("e")];
  expect(shapeOf(tasks)).toEqual({
    waves: [["a", "e"], ["b", "c"], ["d"]],
    criticalPath: ["a", "b"],
    criticalMs: 80 * minuteMs,
    totalMs: 140 * minuteMs,
  });
});

test("tasks that wait for each other have no place, and a plan without tasks has no length", () => {
  expect(shapeOf([task("a", ["b"]), task("b", ["a"]), task("c", ["b"]), task("d", ["gone"], 15)])).toEqual({
    waves: [["d"]],
    criticalPath: ["d"],
    criticalMs: 15 * minuteMs,
    totalMs: 15 * minuteMs,
  });
  expect(shapeOf([])).toEqual({ waves: [], criticalPath: [], criticalMs: 0, totalMs: 0 });
});

test("a chain of ten thousand tasks is no trouble", () => {
  const chain = Array.from({ length: 10_000 }, (_, at) => task(`t${at}`, at === 0 ? [] : [`t${at - 1}`], 15));
  expect(shapeOf(chain).waves.length).toBe(10_000);
});
