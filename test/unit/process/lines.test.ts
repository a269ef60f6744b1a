import * as fc from "fast-check";
import { expect, test } from "vitest";
import { splitLines } from "../../../src/process/lines.ts";

test("lines end at newlines and nowhere else, and need none at the end", () => {
  const separators = "a\u2028b\u2029c\u0085d\ve\ff\rg";
  expect(heard([Buffer.from(`${separators}\r\n\n\nlast`)])).toEqual([separators, "last"]);
});

test("NUL and bytes that are no UTF-8 are heard as text", () => {
  expect(heard([Buffer.from([0x61, 0, 0x62, 10, 0xff, 0xc3, 10, 0xe2, 0x82])])).toEqual([
    "a\0b",
    "\uFFFD\uFFFD",
    "\uFFFD",
  ]);
});

test("however the bytes are cut, also within a character, the lines are the same", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 20 }), fc.array(fc.integer({ min: 1, max: 5 })), (text, cuts) => {
      const whole = Buffer.concat([Buffer.from("é\u2028"), text, Buffer.from("\n€ and "), text]);
      const chunks: Buffer[] = [];
      for (let at = 0, turn = 0; at < whole.length; turn += 1) {
        const length = cuts[turn] ?? 3;
        chunks.push(whole.subarray(at, at + length));
        at += length;
      }
      return heard(chunks).join("\n") === heard([whole]).join("\n");
    }),
  );
});

test("a line beyond the limit is dropped whole, one of just the limit is heard, and so is the next", () => {
  const lines = `${"x".repeat(11)}\n${"y".repeat(10)}\nz\n${"x".repeat(11)}`;
  expect(heard([Buffer.from(lines)], 10)).toEqual(["y".repeat(10), "z"]);
  expect(
    heard(
      Array.from(Buffer.from(lines), (byte) => Buffer.of(byte)),
      10,
    ),
  ).toEqual(["y".repeat(10), "z"]);
});

function heard(chunks: readonly Buffer[], bytesMax = 1_000_000): string[] {
  const lines: string[] = [];
  const splitter = splitLines(bytesMax, (line) => lines.push(line));
  for (const chunk of chunks) splitter.write(chunk);
  splitter.end();
  return lines;
}
