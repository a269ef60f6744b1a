import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { realFiles, type FilePort } from "../../src/journal/file-port.ts";
import { openJournal } from "../../src/journal/journal.ts";
import type { Result } from "../../src/base/result.ts";

const at = "2026-11-15T20:17:33.000Z";
/** Thousands of fsyncs take minutes and change nothing that the sweeps see. */
const unsyncedFiles: FilePort = { ...realFiles, fsync: () => undefined, fsyncDir: () => undefined };
/** Seven thousand cuts on a busy machine. */
const sweepMsMax = 300_000;
let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "stint-torn-"));
  path = join(folder, "journal.jsonl");
});

afterEach(() => rmSync(folder, { recursive: true }));

test(
  "a journal cut at any byte reopens with exactly its complete lines, keeps the rest aside and goes on",
  () => {
    const whole = journalOf(12);
    for (let size = 0; size <= whole.length; size++) {
      writeFileSync(path, whole.subarray(0, size));
      const cut = whole.subarray(0, size);
      expectRepaired({ whole: cut, complete: cut.lastIndexOf("\n") + 1 });
    }
  },
  sweepMsMax,
);

test("unwritten zeros behind the last line are cut, whether or not a newline stands in or behind them", () => {
  const whole = journalOf(3);
  for (const tail of ["\0", "\0".repeat(700), "\0\0\n", "\0\0\n\0\0", "\0\0\n\0\n", '\0\0\n{"v":1', '{"v":1,\0\0']) {
    const bytes = Buffer.concat([whole, Buffer.from(tail)]);
    writeFileSync(path, bytes);
    expectRepaired({ whole: bytes, complete: whole.length });
  }
});

test("a last line that lost any whole sectors is cut, also when its newline survived", () => {
  const before = journalOf(2);
  const whole = journalOf(3, 3000);
  const sectors = Math.ceil((whole.length - before.length) / 512);
  for (let lost = 0; lost < sectors; lost++) {
    const bytes = Buffer.from(whole);
    const sector = (Math.floor(before.length / 512) + lost) * 512;
    bytes.fill(0, Math.max(before.length, sector), sector + 512);
    writeFileSync(path, bytes);
    expectRepaired({ whole: bytes, complete: before.length });
  }
});

test("zeros with a good line behind them are damage, for that line may have been acknowledged", () => {
  const whole = journalOf(3);
  const second = whole.indexOf("\n") + 1;
  whole.fill(0, second, whole.indexOf("\n", second));
  expectRefusedAt(whole, `at byte ${second}, line 2: `);
});

test("an empty line, or a flipped newline of the last line, is damage", () => {
  const whole = journalOf(3);
  expectRefusedAt(Buffer.concat([whole, Buffer.from("\n")]), `at byte ${whole.length}, line 4: the line has no hash`);
  const third = whole.lastIndexOf("\n", -2) + 1;
  whole[whole.length - 1] = 0x0b;
  expectRefusedAt(whole, `at byte ${third}, line 3: the newline of the last line is damaged`);
});

test("each cut has its own file, so that a second crash does not hide the first", () => {
  const whole = journalOf(3);
  writeFileSync(path, whole.subarray(0, -5));
  const first = unwrap(openJournal(realFiles, path));
  first.journal.close();
  writeFileSync(path, whole.subarray(0, -7));
  const second = unwrap(openJournal(realFiles, path));
  second.journal.close();
  expect([first.repaired?.keptAt, second.repaired?.keptAt]).toEqual([`${path}.torn-1`, `${path}.torn-2`]);
});

test("the cut bytes are durable under their own name before the journal is cut", () => {
  const whole = journalOf(2);
  writeFileSync(path, whole.subarray(0, -5));
  const calls: string[] = [];
  const files: FilePort = {
    ...realFiles,
    open: (name, mode) => (calls.push(`open ${mode}`), realFiles.open(name, mode)),
    write: (fd, bytes) => (calls.push("write"), realFiles.write(fd, bytes)),
    fsync: (fd) => (calls.push("fsync"), realFiles.fsync(fd)),
    fsyncDir: (name) => (calls.push("fsyncDir"), realFiles.fsyncDir(name)),
    ftruncate: (fd, size) => (calls.push("ftruncate"), realFiles.ftruncate(fd, size)),
  };
  unwrap(openJournal(files, path)).journal.close();
  const expected = ["fsyncDir", "open append", "open create", "write", "fsync", "fsyncDir", "ftruncate", "fsync"];
  expect(calls.slice(0, expected.length)).toEqual(expected);
});

test("with no space to keep the cut bytes, nothing is cut and nothing is left behind", () => {
  const whole = journalOf(2).subarray(0, -5);
  writeFileSync(path, whole);
  const full: FilePort = { ...realFiles, write: (fd, bytes) => realFiles.write(fd, bytes.subarray(0, 3)) };
  const failed = openJournal(full, path);
  const cause = `ESHORTWRITE: only 3 of ${whole.length - whole.lastIndexOf("\n") - 1} bytes were written, the disk is probably full`;
  const message = `${path} cannot be opened: ${cause}. Fix that, then try again.`;
  expect(failed).toEqual({ ok: false, failure: { reason: "io", message } });
  expect(readFileSync(path)).toEqual(whole);
  expect(readdirSync(folder)).toEqual(["journal.jsonl"]);
});

/** Opens the journal at `path`, checks what was cut and kept, appends, and checks the reopened whole. */
function expectRepaired({ whole, complete }: { whole: Buffer; complete: number }): void {
  const { journal, entries, repaired } = unwrap(openJournal(unsyncedFiles, path));
  const lines = whole.subarray(0, complete).toString().split("\n").slice(0, -1);
  expect(JSON.stringify(entries)).toBe(`[${lines.join(",")}]`);
  expect(repaired?.bytes ?? 0).toBe(whole.length - complete);
  if (repaired !== undefined) {
    expect(readFileSync(repaired.keptAt).equals(whole.subarray(complete))).toBe(true);
    rmSync(repaired.keptAt);
  }
  expect(unwrap(journal.append({ type: "resumed" }, at)).seq).toBe(lines.length + 1);
  journal.close();
  const again = unwrap(openJournal(unsyncedFiles, path));
  again.journal.close();
  expect(again.repaired).toBeUndefined();
  expect(again.entries).toHaveLength(lines.length + 1);
}

function expectRefusedAt(bytes: Buffer, place: string): void {
  writeFileSync(path, bytes);
  const refused = openJournal(realFiles, path);
  expect(refused.ok ? undefined : refused.failure.reason).toBe("damaged");
  expect(refused.ok ? undefined : refused.failure.message).toContain(`${path} is damaged ${place}`);
  expect(readFileSync(path)).toEqual(bytes);
  expect(readdirSync(folder)).toEqual(["journal.jsonl"]);
}

/** The bytes of a journal, whose last event may be padded over several sectors. */
function journalOf(count: number, padding = 0): Buffer {
  const { journal } = unwrap(openJournal(realFiles, path));
  for (let n = 1; n <= count; n++) {
    unwrap(journal.append({ type: "attempt-started", n, text: "x".repeat(n === count ? padding : 0) }, at));
  }
  journal.close();
  const bytes = readFileSync(path);
  rmSync(path);
  return bytes;
}

function unwrap<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(result.failure.message);
  return result.value;
}
