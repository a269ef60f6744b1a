import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { realFiles, type FilePort } from "../../../src/journal/file-port.ts";
import { frame, zeroHash } from "../../../src/journal/framing.ts";
import { openJournal } from "../../../src/journal/journal.ts";
import { journalLimits } from "../../../src/journal/limits.ts";
import type { Result } from "../../../src/base/result.ts";

const reserved = new Set(["v", "seq", "epoch", "at", "prev", "hash"]);
const at = "2026-11-15T20:17:33.000Z";
/** Thousands of fsyncs take minutes and change nothing that these tests see. */
const unsyncedFiles: FilePort = { ...realFiles, fsync: () => undefined, fsyncDir: () => undefined };
let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "stint-journal-"));
  path = join(folder, "runs", "one", "journal.jsonl");
});

afterEach(() => rmSync(folder, { recursive: true }));

test("a line on disk is the documented bytes, chained by hashes anyone can compute", () => {
  const { journal } = unwrap(openJournal(realFiles, path));
  unwrap(journal.append({ type: "run-started", plan: "add-auth", n: [1, null] }, at));
  unwrap(journal.append({ type: "paused" }, at));
  journal.close();

  const body1 = `{"v":1,"seq":1,"epoch":1,"at":"${at}","type":"run-started","plan":"add-auth","n":[1,null],"prev":"${"0".repeat(64)}"}`;
  const hash1 = createHash("sha256").update(body1).digest("hex");
  const body2 = `{"v":1,"seq":2,"epoch":1,"at":"${at}","type":"paused","prev":"${hash1}"}`;
  const hash2 = createHash("sha256").update(body2).digest("hex");
  const lines = `${body1.slice(0, -1)},"hash":"${hash1}"}\n${body2.slice(0, -1)},"hash":"${hash2}"}\n`;
  expect(readFileSync(path, "utf8")).toBe(lines);
});

test("the state is readable by its owner only", () => {
  unwrap(openJournal(realFiles, path)).journal.close();
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(statSync(join(folder, "runs")).mode & 0o777).toBe(0o700);
});

test("every start raises the epoch, and an epoch that is over is refused", () => {
  const first = unwrap(openJournal(realFiles, path, { epoch: 4 })).journal;
  unwrap(first.append({ type: "run-started" }, at));
  first.close();
  const second = unwrap(openJournal(realFiles, path)).journal;
  expect(unwrap(second.append({ type: "resumed" }, at)).epoch).toBe(5);
  second.close();
  const stale = openJournal(realFiles, path, { epoch: 4 });
  const message = `${path} is at epoch 5; epoch 4 is over.`;
  expect(stale).toEqual({ ok: false, failure: { reason: "stale-epoch", message } });
});

test("any sequence of JSON events comes back as it was appended", () => {
  const field = fc.string({ unit: "binary" }).filter((key) => !reserved.has(key));
  const fields = fc.dictionary(field, fc.jsonValue({ stringUnit: "binary" }), { noNullPrototype: true });
  const event = fc.tuple(fields, fc.string({ minLength: 1 })).map(([own, type]) => ({ ...own, type }));
  let run = 0;
  fc.assert(
    fc.property(fc.array(event, { maxLength: 15 }), (events) => {
      const file = join(folder, `${run++}.jsonl`);
      const { journal } = unwrap(openJournal(unsyncedFiles, file));
      const returned = events.map((one) => unwrap(journal.append(one, at)));
      journal.close();
      const reopened = unwrap(openJournal(unsyncedFiles, file));
      reopened.journal.close();
      expect(reopened.entries).toEqual(returned);
      const own = reopened.entries.map((entry) =>
        Object.fromEntries(Object.entries(entry).filter(([key]) => !reserved.has(key))),
      );
      expect(own).toEqual(JSON.parse(JSON.stringify(events)));
    }),
    { numRuns: 100 },
  );
});

const cycle: { type: string; self?: unknown } = { type: "note" };
cycle.self = cycle;
const plain = "an event must be an object of plain JSON values";

test.each([
  ["undefined", { type: "note", x: undefined }, plain],
  ["NaN", { type: "note", x: Number.NaN }, plain],
  ["a bigint", { type: "note", x: 1n }, plain],
  ["a date", { type: "note", x: new Date(0) }, plain],
  ["a hole", { type: "note", x: Array.from({ length: 2 }) }, plain],
  ["toJSON", { type: "note", toJSON: () => "x" }, plain],
  ["a cycle", cycle, plain],
  ["no type", { type: "" }, "an event must have a type"],
  ["seq", { type: "note", seq: 7 }, 'the key "seq" is reserved'],
  ["hash", { type: "note", hash: "" }, 'the key "hash" is reserved'],
])("an event with %s is refused before anything is written, and the journal stays usable", (_name, event, why) => {
  const { journal } = unwrap(openJournal(realFiles, path));
  const refused = journal.append(event, at);
  expect(refused).toEqual({
    ok: false,
    failure: { reason: "invalid", message: `The event cannot be journaled: ${why}.` },
  });
  expect(statSync(path).size).toBe(0);
  expect(unwrap(journal.append({ type: "next" }, at)).seq).toBe(1);
  journal.close();
});

test("a line of the greatest length is written and read back; one byte more is refused", () => {
  const empty = frame({ seq: 1, epoch: 1, at, event: { type: "big", x: "" } as { type: string } }, zeroHash).line
    .length;
  const { journal } = unwrap(openJournal(realFiles, path));
  const x = "x".repeat(journalLimits.journalLineBytesMax - empty);
  const refused = journal.append({ type: "big", x: `${x}x` }, at);
  expect(refused.ok ? undefined : refused.failure.message).toBe(
    'The event "big" cannot be journaled: 32000001 bytes, at most 32000000.',
  );
  unwrap(journal.append({ type: "big", x }, at));
  journal.close();
  const reopened = unwrap(openJournal(realFiles, path));
  expect(reopened.entries).toHaveLength(1);
  reopened.journal.close();
});

function unwrap<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(result.failure.message);
  return result.value;
}
