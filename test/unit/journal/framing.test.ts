import { expect, test } from "vitest";
import { frame, unframe, zeroHash } from "../../../src/journal/framing.ts";
import type { Result } from "../../../src/base/result.ts";

const at = "2026-11-15T20:17:33.000Z";

test("the golden hash never changes, so journals of earlier releases still verify", () => {
  const { line } = frame({ seq: 1, epoch: 1, at: "2026-01-01T00:00:00Z", event: { type: "stopped" } }, zeroHash);
  const body = `{"v":1,"seq":1,"epoch":1,"at":"2026-01-01T00:00:00Z","type":"stopped","prev":"${zeroHash}"`;
  expect(line).toBe(`${body},"hash":"fb154159087d62edcbebfbec3edff8cd8c7c40c735401833778fa48c43b6d96a"}`);
});

test("line separators, lone surrogates, newlines, NUL and odd keys stay inside one line", () => {
  const event = { type: "note", text: "a\u2028b\ud800c\nd\0e\ufeff", "0": "first", ["__proto__"]: { x: 1 } };
  const { line } = frame({ seq: 1, epoch: 1, at, event }, zeroHash);
  expect(line).not.toMatch(/[\n\0]/);
  expect(line.startsWith('{"v":1,"seq":1,"epoch":1,"at":')).toBe(true);
  const entry = unwrap(unframe(Buffer.from(line)));
  expect(entry["text"]).toBe(event.text);
  expect(Object.getOwnPropertyDescriptor(entry, "__proto__")?.value).toEqual({ x: 1 });
});

test("the bytes are verified, so a line that parses to the same object is refused", () => {
  const { line } = frame({ seq: 1, epoch: 1, at, event: { type: "note" } }, zeroHash);
  expect(unframe(Buffer.from(line)).ok).toBe(true);
  expect(unframe(Buffer.from(line.replace('"seq":1', '"seq": 1'))).ok).toBe(false);
});

function unwrap<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(result.failure.message);
  return result.value;
}
