import { appendFileSync, mkdtempSync, readFileSync, readdirSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { realFiles, type FilePort } from "../../../src/journal/file-port.ts";
import { readFrom } from "../../../src/journal/follow.ts";
import { openJournal, type Journal } from "../../../src/journal/journal.ts";
import { journalStart } from "../../../src/journal/scan.ts";
import type { Result } from "../../../src/base/result.ts";

const at = "2026-11-15T20:17:33.000Z";
let folder: string;
let path: string;
let journal: Journal;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "stint-follow-"));
  path = join(folder, "journal.jsonl");
  journal = unwrap(openJournal(realFiles, path)).journal;
});

afterEach(() => {
  journal.close();
  rmSync(folder, { recursive: true });
});

test("a follower gets each entry once, in order, from where it stopped", () => {
  const first = [{ type: "one" }, { type: "two" }].map((event) => unwrap(journal.append(event, at)));
  const seen = unwrap(readFrom(realFiles, path, journalStart));
  expect(seen).toEqual({ entries: first, cursor: journal.cursor, bytes: readFileSync(path) });
  const none = { entries: [], cursor: seen.cursor, bytes: Buffer.alloc(0) };
  expect(unwrap(readFrom(realFiles, path, seen.cursor))).toEqual(none);
  const third = unwrap(journal.append({ type: "three" }, at));
  const bytes = readFileSync(path).subarray(seen.bytes.byteLength);
  expect(unwrap(readFrom(realFiles, path, seen.cursor))).toEqual({ entries: [third], cursor: journal.cursor, bytes });
});

test("a follower ignores a line being written, at every byte of it, and touches nothing", () => {
  unwrap(journal.append({ type: "one" }, at));
  const { cursor } = journal;
  const two = unwrap(journal.append({ type: "two" }, at));
  const whole = readFileSync(path);
  for (let size = cursor.offset; size < whole.length; size++) {
    writeFileSync(path, whole.subarray(0, size));
    expect(unwrap(readFrom(realFiles, path, cursor))).toMatchObject({ entries: [], cursor });
    expect(readFileSync(path)).toEqual(whole.subarray(0, size));
  }
  writeFileSync(path, whole);
  expect(unwrap(readFrom(realFiles, path, cursor)).entries).toEqual([two]);
  expect(readdirSync(folder)).toEqual(["journal.jsonl"]);
});

test("a follower shows only what is durable, also while the writer is about to fsync", () => {
  unwrap(journal.append({ type: "one" }, at));
  const synced: number[] = [];
  const files: FilePort = { ...realFiles, fsync: (fd) => (synced.push(fd), realFiles.fsync(fd)) };
  const { cursor } = unwrap(readFrom(files, path, journalStart));
  expect(synced).toHaveLength(1);
  unwrap(readFrom(files, path, cursor));
  expect(synced).toHaveLength(1);
});

test("what a follower has shown survives a power loss that comes before the writer's fsync", () => {
  const late: FilePort = { ...realFiles, fsync: () => {} };
  const unsynced = unwrap(openJournal(late, `${path}.late`)).journal;
  unwrap(unsynced.append({ type: "one" }, at));
  unsynced.close();
  const shownAndKept = (followed: (files: FilePort) => FilePort) => {
    // What no fsync has covered is gone with the power.
    let durable = 0;
    const disk: FilePort = { ...realFiles, fsync: (fd) => void (durable = realFiles.fstat(fd).size) };
    const copy = `${path}.copy`;
    writeFileSync(copy, readFileSync(`${path}.late`));
    const shown = unwrap(readFrom(followed(disk), copy, journalStart)).entries;
    truncateSync(copy, durable);
    return { shown, kept: unwrap(readFrom(realFiles, copy, journalStart)).entries };
  };
  const real = shownAndKept((files) => files);
  expect([real.shown.length, real.kept]).toEqual([1, real.shown]);
  const careless = shownAndKept((files) => ({ ...files, fsync: () => {} }));
  expect([careless.shown.length, careless.kept]).toEqual([1, []]);
});

test("a follower reads each byte once, however long the journal is", () => {
  const bytes: number[] = [];
  const files: FilePort = {
    ...realFiles,
    read: (fd, into, position) => (bytes.push(into.byteLength), realFiles.read(fd, into, position)),
  };
  const old = { type: "old", text: "x".repeat(1_000) };
  for (let count = 0; count < 20; count += 1) unwrap(journal.append(old, at));
  let { cursor } = unwrap(readFrom(files, path, journalStart));
  for (let round = 0; round < 20; round += 1) {
    const before = journal.cursor.offset;
    unwrap(journal.append({ type: "new" }, at));
    bytes.length = 0;
    ({ cursor } = unwrap(readFrom(files, path, cursor)));
    expect(bytes).toEqual([journal.cursor.offset - before]);
  }
  bytes.length = 0;
  unwrap(readFrom(files, path, cursor));
  expect(bytes).toEqual([]);
});

test("a follower reports damage with its place in the whole file", () => {
  unwrap(journal.append({ type: "one" }, at));
  const { cursor } = journal;
  appendFileSync(path, '{"v":1}\n');
  const refused = readFrom(realFiles, path, cursor);
  const place = `at byte ${cursor.offset}, line 2: the line has no hash`;
  const message = `${path} is damaged ${place}. It was left as it is. Restore it from a copy, or start a new run.`;
  expect(refused).toEqual({ ok: false, failure: { reason: "damaged", message } });
});

test("a journal that shrank below the cursor, and one that is missing, are different failures", () => {
  unwrap(journal.append({ type: "one" }, at));
  const { cursor } = journal;
  truncateSync(path, 5);
  const shrunk = `${path} has 5 bytes, but ${cursor.offset} were read before. It was left as it is.`;
  expect(readFrom(realFiles, path, cursor)).toEqual({ ok: false, failure: { reason: "damaged", message: shrunk } });
  const missing = { reason: "missing", message: `${path}.none does not exist.` };
  expect(readFrom(realFiles, `${path}.none`, journalStart)).toEqual({ ok: false, failure: missing });
});

function unwrap<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(result.failure.message);
  return result.value;
}
