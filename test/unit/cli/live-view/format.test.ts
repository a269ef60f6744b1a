import { expect, test } from "vitest";
import { clock } from "../../../../src/base/duration.ts";
import { briefClock, estimate, shown } from "../../../../src/cli/live-view/format.ts";
import { shortCount } from "../../../../src/report/render-cost.ts";

test("times, estimates and counts are short", () => {
  expect([0, 7_000, 761_000, 3_761_000].map(clock)).toEqual(["0:00", "0:07", "12:41", "1:02:41"]);
  expect([3_761_000, 35_999_000, 36_000_000, 43_561_000, 360_300_000].map(briefClock)).toEqual([
    "1:02:41",
    "9:59:59",
    "10h00m",
    "12h06m",
    "100h05m",
  ]);
  expect([900_000, 3_600_000, 5_400_000].map(estimate)).toEqual(["15m", "1h", "90m"]);
  expect([950, 48_100, 107_000, 999_960, 1_234_567].map(shortCount)).toEqual(["950", "48.1k", "107k", "1.0M", "1.2M"]);
});

test("an emoji has one width: its selector is left out", () => {
  expect(shown("❤\u{fe0f} ok")).toBe("❤ ok");
});
