import { expect, test } from "vitest";
import { clip, padEnd, widthOf, wrap } from "../../../src/cli/width.ts";

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
