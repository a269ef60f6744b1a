import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { realFiles } from "../../src/journal/file-port.ts";
import { frame, zeroHash } from "../../src/journal/framing.ts";
import { openJournal } from "../../src/journal/journal.ts";

const at = "2026-11-15T20:17:33.000Z";
let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "stint-damage-"));
  path = join(folder, "journal.jsonl");
});

afterEach(() => rmSync(folder, { recursive: true }));

test("the undamaged journal opens", () => {
  writeFileSync(path, text(lines(5)));
  expect(openJournal(realFiles, path).ok).toBe(true);
});

test("one flipped byte anywhere is refused, naming byte and line, and the file stays as it is", () => {
  const good = Buffer.from(text(lines(4)));
  let [line, offset] = [1, 0];
  for (let index = 0; index < good.length; index++) {
    const bytes = Buffer.from(good);
    bytes[index]! ^= 1;
    expectRefused(bytes, { line, offset });
    if (good[index] === 0x0a) [line, offset] = [line + 1, index + 1];
  }
});

test("one byte of any line turned to NUL or to a newline is refused", () => {
  const all = lines(8);
  const good = Buffer.from(text(all));
  let offset = 0;
  for (const [index, line] of all.entries()) {
    for (const value of [0, 0x0a]) {
      const bytes = Buffer.from(good);
      bytes[offset + 40] = value;
      expectRefused(bytes, { line: index + 1, offset });
    }
    offset += line.length + 1;
  }
});

test("a duplicate line is refused", () => {
  const [one, two, three] = lines(3) as [string, string, string];
  expectRefused(
    text([one, two, two, three]),
    { line: 3, offset: text([one, two]).length },
    "seq is 2 where 3 was expected",
  );
  expectRefused(text([one, two, two]), { line: 3, offset: text([one, two]).length }, "seq is 2 where 3 was expected");
});

test("swapped and missing lines are refused", () => {
  const [one, two, three] = lines(3) as [string, string, string];
  expectRefused(text([one, three, two]), { line: 2, offset: one.length + 1 }, "seq is 3 where 2 was expected");
  expectRefused(text([two, three]), { line: 1, offset: 0 }, "seq is 2 where 1 was expected");
});

test("a line from another history is refused, though its own hash is right", () => {
  const [one] = lines(1) as [string];
  const { line } = frame({ seq: 2, epoch: 1, at, event: { type: "forged" } }, zeroHash);
  expectRefused(text([one, line]), { line: 2, offset: one.length + 1 }, "prev is not the hash of the line before");
});

test("a lower epoch is refused, a higher one is not", () => {
  const first = frame({ seq: 1, epoch: 3, at, event: { type: "run-started" } }, zeroHash);
  const lower = frame({ seq: 2, epoch: 2, at, event: { type: "late" } }, first.hash);
  expectRefused(text([first.line, lower.line]), { line: 2, offset: first.line.length + 1 }, "epoch 2 is lower than 3");
  const higher = frame({ seq: 2, epoch: 9, at, event: { type: "resumed" } }, first.hash);
  writeFileSync(path, text([first.line, higher.line]));
  expect(openJournal(realFiles, path).ok).toBe(true);
});

test("a journal of a later version is not called damaged", () => {
  const { line } = frame({ seq: 1, epoch: 1, at, event: { type: "run-started" } }, zeroHash);
  const later = rehash(line.replace('"v":1', '"v":2'));
  writeFileSync(path, text([later]));
  const message = `${path} was written by another version of Stint at byte 0, line 1: the line has version 2. Use that version.`;
  expect(openJournal(realFiles, path)).toEqual({ ok: false, failure: { reason: "unsupported", message } });
  expect(readFileSync(path, "utf8")).toBe(text([later]));
});

function expectRefused(content: string | Buffer, place: { line: number; offset: number }, why = ""): void {
  writeFileSync(path, content);
  const refused = openJournal(realFiles, path);
  if (refused.ok) throw new Error(`Line ${place.line} was accepted or repaired`);
  expect(refused.failure.reason).toBe("damaged");
  const start = `${path} is damaged at byte ${place.offset}, line ${place.line}: ${why}`;
  expect(refused.failure.message.slice(0, start.length)).toBe(start);
  expect(refused.failure.message).toContain(". It was left as it is. ");
  expect(readFileSync(path).equals(Buffer.from(content))).toBe(true);
  expect(readdirSync(folder)).toEqual(["journal.jsonl"]);
}

function lines(count: number): string[] {
  let prev = zeroHash;
  return Array.from({ length: count }, (_, index) => {
    const framed = frame({ seq: index + 1, epoch: 1, at, event: { type: "attempt-started" } }, prev);
    prev = framed.hash;
    return framed.line;
  });
}

function rehash(line: string): string {
  const body = `${line.slice(0, line.lastIndexOf(',"hash":'))}}`;
  const hash = createHash("sha256").update(body).digest("hex");
  return `${body.slice(0, -1)},"hash":"${hash}"}`;
}

function text(all: readonly string[]): string {
  return all.map((line) => `${line}\n`).join("");
}
