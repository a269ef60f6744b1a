import { expect, test } from "vitest";
import { reportLimits } from "../../../src/report/limits.ts";
import { lanesOf } from "../../../src/report/render-timeline.ts";

test("attempts at the same time lie in lanes of their own, those one after another in the same", () => {
  const attempt = (from: number, to: number) => ({
    spans: [{ kind: "session", from, to }],
    outcome: "integrated",
    why: "",
  });
  const tasks = [
    { id: "a", attempts: [attempt(0, 10), attempt(30, 40)] },
    { id: "b", attempts: [attempt(5, 20)] },
    { id: "c", attempts: [attempt(20, 25)] },
  ];
  const lanes = lanesOf({ tasks } as unknown as Parameters<typeof lanesOf>[0], 1);
  expect(lanes.map((lane) => lane.map(({ label, from }) => `${label} ${from}`))).toEqual([
    ["a 0", "c 20", "a 30"],
    ["b 5"],
  ]);
});

test("more attempts at once than a picture has lanes share the last one, and no bar lies over another", () => {
  const count = reportLimits.timelineLanesMax + 20;
  const tasks = Array.from({ length: count }, (_, at) => ({
    id: `t${at}`,
    attempts: [
      { spans: [{ kind: "session", from: at, to: 1_000 + at }], outcome: at === 30 ? "failed" : "integrated", why: "" },
    ],
  }));
  const lanes = lanesOf({ tasks } as unknown as Parameters<typeof lanesOf>[0], 1);
  expect(lanes).toHaveLength(reportLimits.timelineLanesMax);
  expect(lanes.at(-1)).toMatchObject([{ count: 21, outcome: "failed" }]);
});
