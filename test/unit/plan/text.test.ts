import * as fc from "fast-check";
import { expect, test } from "vitest";
import { decodeText, overwrite, positionIn } from "../../../src/plan/text.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

/** `line:column code: message` of what is wrong. */
function complaints(input: string | Uint8Array): string[] {
  const decoded = decodeText("plan.md", typeof input === "string" ? bytes(input) : input);
  if ("text" in decoded) return [];
  const { line, column, code, message } = decoded.problem;
  return [`${line}:${column} ${code}: ${message}`];
}

test("invalid UTF-8 is placed exactly", () => {
  const before = bytes("---\ntitle: ä");
  expect(complaints(Uint8Array.of(...before, 0xc3, 0x28, ...bytes("\n---\n")))).toEqual([
    "2:9 not-utf8: the file is not valid UTF-8 here",
  ]);
  expect(complaints(Uint8Array.of(...before, 0xe2, 0x82))).toEqual(["2:9 not-utf8: the file is not valid UTF-8 here"]);
});

test("a binary file is named as one", () => {
  expect(complaints("---\na: \0\n---\n")).toEqual([
    "2:4 binary: the file contains a NUL byte here, so it is binary and not a document",
  ]);
});

test("a byte order mark is no part of the text", () => {
  expect(decodeText("plan.md", bytes("\uFEFFa"))).toEqual({ text: "a" });
});

test("a place is counted from 1, in lines and in characters of the line", () => {
  expect(positionIn("ab\ncd", 0)).toEqual({ line: 1, column: 1 });
  expect(positionIn("ab\ncd", 3)).toEqual({ line: 2, column: 1 });
  expect(positionIn("ab\ncd", 5)).toEqual({ line: 2, column: 3 });
});

test("a character is written over another one, whatever bytes come before it, and every other byte stays", () => {
  const around = fc.string({ unit: "grapheme", maxLength: 10 }).map((text) => text.replaceAll("\uFEFF", ""));
  fc.assert(
    fc.property(fc.boolean(), around, around, around, (hasMark, first, second, third) => {
      const mark = hasMark ? "\uFEFF" : "";
      const text = `${first}_${second}_${third}`;
      const indexes = [first.length, first.length + 1 + second.length];
      const written = overwrite(bytes(mark + text), text, indexes, "x");
      expect(written).toEqual(bytes(`${mark}${first}x${second}x${third}`));
    }),
    { numRuns: 300 },
  );
});
