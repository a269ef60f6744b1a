import { expect, test } from "vitest";
import { apart, Stage } from "../../../rig/scene.ts";

test("64 lanes on 24 rows: as many as fit, around the one that is selected", () => {
  const ids = Array.from({ length: 64 }, (_, at) => `t${String(at).padStart(2, "0")}`);
  const stage = new Stage(
    ids.map((id) => apart(id)),
    { parallel: 64 },
  );
  stage.start(...ids);
  const lines = stage.picture(80, 24, { selected: "t40" });
  expect(lines).toContain(" Running 18 of 64");
  expect(lines.some((line) => line.startsWith(" › t40 #1"))).toBe(true);
  expect(stage.picture(80, 24).some((line) => line.includes("t40"))).toBe(false);
});

test("an attempt of days and an estimate of hours keep all of their digits", () => {
  const long = new Stage([apart("01-a", { estimateMs: 150 * 60_000 })]);
  long.start("01-a");
  const rows = (ms: number) => long.picture(80, 24, { now: long.now + ms }).find((line) => line.includes("01-a #1"));
  expect(rows(0)).toMatch(/ 2:00 of 150m *$/);
  expect(rows(43_440_000)).toMatch(/ 12h06m of 150m *$/);
  expect(rows(360_180_000)).toMatch(/ 100h05m of 150m *$/);
});
