import { expect, test } from "vitest";
import { inOneLine, visible, visibleLine } from "../../../src/base/visible.ts";

const escaped: readonly (readonly [string, string, string])[] = [
  ["an ANSI escape", "\u001b[31mred", "\\u{1b}[31mred"],
  ["a C1 control sequence introducer", "\u009b2J", "\\u{9b}2J"],
  ["NUL, backspace and delete", "a\0\b\u007f", "a\\u{0}\\u{8}\\u{7f}"],
  ["a carriage return that would overwrite the line", "evil\rgood", "evil\\rgood"],
  ["a right-to-left override", "user\u202etxt.exe", "user\\u{202e}txt.exe"],
  ["bidi isolates", "\u2066x\u2069", "\\u{2066}x\\u{2069}"],
  ["zero-width characters and the byte order mark", "a\u200bb\u200dc\ufeff", "a\\u{200b}b\\u{200d}c\\u{feff}"],
  ["a soft hyphen and a word joiner", "a\u00ad\u2060", "a\\u{ad}\\u{2060}"],
  ["tag characters", "hi\u{e0041}\u{e007f}", "hi\\u{e0041}\\u{e007f}"],
  ["lone surrogates", "a\ud800b\udc00", "a\\u{d800}b\\u{dc00}"],
  ["spaces that are not spaces", "a\u00a0b\u2003c\u3000d", "a\\u{a0}b\\u{2003}c\\u{3000}d"],
  ["line and paragraph separators", "a\u2028b\u2029", "a\\u{2028}b\\u{2029}"],
  ["letters drawn as nothing", "a\u3164b\u115fc\u2800", "a\\u{3164}b\\u{115f}c\\u{2800}"],
  ["selectors that carry hidden text", "a\ufe01\u{e0100}", "a\\u{fe01}\\u{e0100}"],
  ["a selector after a selector", "❤\ufe0f\ufe0f", "❤\\u{fe0f}\\u{fe0f}"],
  ["private use characters", "\ue000", "\\u{e000}"],
  ["line breaks and tabs on one line", "a\n\tb", "a\\n\\tb"],
];

test.each(escaped)("%s becomes visible", (_, text, shown) => {
  expect(visible(text)).toBe(shown);
});

test.each(["plain text", "Ünïcödé e\u0301", "日本語、한국어", "עברית العربية", "🎉 ❤️ 1️⃣ 👍🏽", "C:\\path\\u{41}", ""])(
  "%j stays as it is",
  (text) => {
    expect(visible(text)).toBe(text);
  },
);

test("several lines keep line breaks and tabs, but nothing else", () => {
  expect(visible("a\n\tb\r\n\u001b[0m", { multiline: true })).toBe("a\n\tb\\r\n\\u{1b}[0m");
});

test("showing twice changes nothing more", () => {
  const once = visible("\u202e\n");
  expect(visible(once)).toBe(once);
});

test("several lines become one that people can read, without what is only there to break it", () => {
  expect(inOneLine("npm ci\n\n  npm test\r\n")).toBe("npm ci ⏎ npm test");
  expect(inOneLine("one line")).toBe("one line");
});

test("a tab in a line of output is spaces, and everything else that hides stays visible", () => {
  expect(visibleLine("ok\tpkg\t0.1s\u001b[0m")).toBe("ok    pkg    0.1s\\u{1b}[0m");
  expect(visible("ok\tpkg")).toBe("ok\\tpkg");
});
