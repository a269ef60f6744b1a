import { appendFileSync, copyFileSync, mkdtempSync, readFileSync, renameSync, rmSync, truncateSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { realFiles, type FilePort } from "../../src/journal/file-port.ts";
import { openJournal, type Journal } from "../../src/journal/journal.ts";
import type { Result } from "../../src/base/result.ts";

const at = "2026-11-15T20:17:33.000Z";
const cure = "Nothing more is recorded until that is fixed.";
let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "stint-poison-"));
  path = join(folder, "journal.jsonl");
});

afterEach(() => rmSync(folder, { recursive: true }));

test.each<[string, Partial<FilePort>, string]>([
  ["a full disk", { write: () => raise("ENOSPC") }, "ENOSPC: injected"],
  ["a broken disk", { write: () => raise("EIO") }, "EIO: injected"],
  ["a failed fsync", { fsync: () => raise("EIO") }, "EIO: injected"],
  ["a failed fstat", { fstat: () => raise("EIO") }, "EIO: injected"],
  [
    "a short write without an error",
    { write: (fd, bytes) => realFiles.write(fd, bytes.subarray(0, 10)) },
    "ESHORTWRITE: only 10 of 220 bytes were written, the disk is probably full",
  ],
  [
    "an fsync that fails with the disk gone",
    { fsync: () => raise("EIO"), ftruncate: () => raise("EROFS") },
    "EIO: injected",
  ],
])(
  "after %s nothing is appended until the journal is reopened, and nothing acknowledged is lost",
  (_name, fault, cause) => {
    const disk = faultyFiles();
    const { journal } = unwrap(openJournal(disk.files, path));
    const acknowledged = unwrap(journal.append({ type: "run-started" }, at));
    disk.break(fault);
    const message = `${path} could not be written: ${cause}. ${cure}`;
    const poisoned = { ok: false, failure: { reason: "poisoned", message } };
    expect(journal.append({ type: "lost" }, at)).toEqual(poisoned);

    disk.break({});
    const before = readFileSync(path);
    expect(journal.append({ type: "late" }, at)).toEqual(poisoned);
    expect(readFileSync(path)).toEqual(before);
    journal.close();

    const reopened = unwrap(openJournal(disk.files, path));
    expect(reopened.entries[0]).toEqual(acknowledged);
    unwrap(reopened.journal.append({ type: "resumed" }, at));
    reopened.journal.close();
    const types = unwrap(openJournal(realFiles, path)).entries.map(({ type }) => type);
    expect(types.filter((type) => type !== "lost")).toEqual(["run-started", "resumed"]);
  },
);

test("lines whose fsync failed are gone for every reader, because the kernel may hold them in memory only", () => {
  const disk = faultyFiles();
  const { journal } = unwrap(openJournal(disk.files, path));
  unwrap(journal.append({ type: "run-started" }, at));
  const before = readFileSync(path);
  disk.break({ fsync: () => raise("EIO") });
  expect(journal.append({ type: "lost" }, at).ok).toBe(false);
  expect(readFileSync(path)).toEqual(before);
});

test("an entry is returned only after write and fsync", () => {
  const calls: string[] = [];
  const files: FilePort = {
    ...realFiles,
    write: (fd, bytes) => (calls.push("write"), realFiles.write(fd, bytes)),
    fsync: (fd) => (calls.push("fsync"), realFiles.fsync(fd)),
    fsyncDir: (name) => (calls.push(`fsyncDir ${name}`), realFiles.fsyncDir(name)),
  };
  const { journal } = unwrap(openJournal(files, path));
  expect(calls).toContain(`fsyncDir ${folder}`);
  calls.length = 0;
  expect(unwrap(journal.append({ type: "one" }, at)).seq).toBe(1);
  expect(calls).toEqual(["write", "fsync"]);
});

test("lines that a killed process did not fsync are fsynced before they are returned", () => {
  const first = openWithOneEvent();
  first.close();
  const failed = openJournal({ ...realFiles, fsync: () => raise("EIO") }, path);
  const message = `${path} cannot be opened: EIO: injected. Fix that, then try again.`;
  expect(failed).toEqual({ ok: false, failure: { reason: "io", message } });
});

test("the last line is written again before it is fsynced, because an fsync that failed before would have made the next one a lie", () => {
  openWithOneEvent().close();
  const whole = readFileSync(path);
  const calls: string[] = [];
  const files: FilePort = {
    ...realFiles,
    rewrite: (name, bytes, position) => {
      calls.push(`rewrite ${bytes.byteLength} at ${position}`);
      realFiles.rewrite(name, bytes, position);
    },
    fsync: (fd) => (calls.push("fsync"), realFiles.fsync(fd)),
  };
  const { journal } = unwrap(openJournal(files, path));
  const start = whole.lastIndexOf("\n", -2) + 1;
  expect(calls).toEqual([`rewrite ${whole.byteLength - start} at ${start}`, "fsync"]);
  expect(readFileSync(path)).toEqual(whole);
  journal.close();
});

test("an old process that wakes up after another has appended is fenced, and stays so", () => {
  const old = openWithOneEvent();
  const { size } = realFiles.stat(path)!;
  const { journal: young } = unwrap(openJournal(realFiles, path));
  unwrap(young.append({ type: "resumed" }, at));
  const content = readFileSync(path);
  const what = `has ${content.length} bytes where ${size} were expected`;
  expectFenced(old, what);
  expect(readFileSync(path)).toEqual(content);
  expect(unwrap(young.append({ type: "goes-on" }, at)).epoch).toBe(2);
  expectFenced(old, what);
});

test("a cut, replaced or removed file fences", () => {
  const cut = openWithOneEvent();
  const { size } = realFiles.stat(path)!;
  truncateSync(path, 3);
  expectFenced(cut, `has 3 bytes where ${size} were expected`);
  rmSync(path);

  const replaced = openWithOneEvent();
  copyFileSync(path, `${path}.copy`);
  renameSync(`${path}.copy`, path);
  expectFenced(replaced, "was replaced or removed");
  rmSync(path);

  const removed = openWithOneEvent();
  rmSync(path);
  expectFenced(removed, "was replaced or removed");
});

test("another process that slips in between the look and the write is noticed before anything is acknowledged", () => {
  const files: FilePort = {
    ...realFiles,
    write: (fd, bytes) => (appendFileSync(path, "x"), realFiles.write(fd, bytes)),
  };
  const { journal } = unwrap(openJournal(files, path));
  const appended = journal.append({ type: "run-started" }, at);
  expect(appended.ok ? undefined : appended.failure.reason).toBe("fenced");
});

test("a bug or a simulated crash in the port is never taken for a disk fault", () => {
  const disk = faultyFiles();
  const { journal } = unwrap(openJournal(disk.files, path));
  disk.break({
    write: () => {
      throw new Error("crash");
    },
  });
  expect(() => journal.append({ type: "run-started" }, at)).toThrow("crash");
});

test("a closed journal refuses, and closing twice is harmless", () => {
  const journal = openWithOneEvent();
  journal.close();
  journal.close();
  const message = "The journal was closed.";
  expect(journal.append({ type: "late" }, at)).toEqual({ ok: false, failure: { reason: "poisoned", message } });
});

function expectFenced(journal: Journal, what: string): void {
  const message = `${path} ${what}: another process drives this run. This one stops; see \`stint status\`.`;
  expect(journal.append({ type: "late" }, at)).toEqual({ ok: false, failure: { reason: "fenced", message } });
}

function openWithOneEvent(): Journal {
  const { journal } = unwrap(openJournal(realFiles, path));
  unwrap(journal.append({ type: "run-started" }, at));
  return journal;
}

/** The real file system, of which a test can break some calls and repair them again. */
function faultyFiles(): { files: FilePort; break(fault: Partial<FilePort>): void } {
  const files: FilePort = { ...realFiles };
  return { files, break: (fault) => void Object.assign(files, realFiles, fault) };
}

function raise(code: string): never {
  throw Object.assign(new Error(`${code}: injected`), { code });
}

function unwrap<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(result.failure.message);
  return result.value;
}
