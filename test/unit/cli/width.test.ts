import { expect, test } from "vitest";
import { clip, padEnd, widthOf, wrap } from "../../../src/cli/width.ts";
import { briefClock, clock, estimate, shown } from "../../../src/cli/live-view/format.ts";
import { shortCount } from "../../../src/report/render-cost.ts";

test.each([
  ["abc", 3],
  ["東京", 4],
  ["한국어", 6],
  ["ｆｕｌｌ", 8],
  ["e\u{301}", 1],
  ["📄", 2],
  ["🎉 ok", 5],
  ["─━✓›…", 5],
  ["", 0],
])("%j takes %i cells", (text, cells) => {
  expect(widthOf(text)).toBe(cells);
});

test("a text is cut where it does not fit, never through a wide character, and its marks stay with it", () => {
  expect(clip("abcdef", 4)).toBe("abc…");
  expect(clip("東京都", 4)).toBe("東…");
  expect(clip("e\u{301}e\u{301}e\u{301}", 2)).toBe("e\u{301}…");
  expect(clip("abc", 3)).toBe("abc");
  expect(clip("abc", 0)).toBe("");
  expect(padEnd("東", 4)).toBe("東  ");
});

test("long lines are wrapped between words where that loses little", () => {
  expect(wrap("a word and another", 10)).toEqual(["a word and", "another"]);
  expect(wrap("abcdefghijkl", 5)).toEqual(["abcde", "fghij", "kl"]);
  expect(wrap("", 5)).toEqual([""]);
  expect(wrap("東", 1)).toEqual(["…"]);
});

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
