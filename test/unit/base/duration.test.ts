import { expect, test } from "vitest";
import { aboutDuration, durationText, showDuration, writeDuration } from "../../../src/base/duration.ts";

const [s, m, h] = [1_000, 60_000, 3_600_000];

test("a plan's duration is in the largest unit that is exact", () => {
  expect([90 * m, 2 * h, 45 * s, 1_500, 0].map(writeDuration)).toEqual(["90m", "2h", "45s", "1500ms", "0ms"]);
});

test("a duration for people has hours and minutes, unless that is not exact", () => {
  expect([45 * m, h, 90 * m, h + s].map(showDuration)).toEqual(["45m", "1h", "1h 30m", "3601s"]);
});

test("a rough duration is rounded to minutes from one minute on", () => {
  expect([400, 29 * s, 31 * s, 20 * m + 10 * s, 90 * m + s].map(aboutDuration)).toEqual([
    "0s",
    "29s",
    "1m",
    "20m",
    "1h 30m",
  ]);
});

test("a report's duration has its two largest units, and tenths of a second below ten", () => {
  const said = [-5, 1_234, 10_000, 59_600, 61 * s, 6 * h + 12 * m + 59 * s, 24 * h, 49 * h].map(durationText);
  expect(said).toEqual(["0.0 s", "1.2 s", "10 s", "1 m", "1 m 1 s", "6 h 12 m", "1 d", "2 d 1 h"]);
});
