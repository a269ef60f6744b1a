import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { writeDocument } from "../../../src/journal/document.ts";
import { realFiles, type FilePort } from "../../../src/journal/file-port.ts";

let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "stint-document-"));
  path = join(folder, "report.md");
});

afterEach(() => rmSync(folder, { recursive: true }));

test("a document is replaced by temp, fsync, rename and fsync of the folder, in this order", () => {
  writeFileSync(path, "old", { mode: 0o644 });
  const calls: string[] = [];
  const files: FilePort = {
    ...realFiles,
    open: (name, mode) => (
      calls.push(`open ${mode} ${basename(name).replace(/[0-9a-f]{24}/, "*")}`),
      realFiles.open(name, mode)
    ),
    write: (fd, bytes) => (calls.push("write"), realFiles.write(fd, bytes)),
    fsync: (fd) => (calls.push("fsync"), realFiles.fsync(fd)),
    close: (fd) => (calls.push("close"), realFiles.close(fd)),
    rename: (from, to) => (calls.push(`rename to ${basename(to)}`), realFiles.rename(from, to)),
    fsyncDir: (name) => (calls.push(`fsyncDir ${name}`), realFiles.fsyncDir(name)),
  };
  expect(writeDocument(files, path, "new ✓")).toEqual({ ok: true, value: undefined });
  const temporary = "open create .report.md.*.tmp";
  expect(calls).toEqual([temporary, "write", "fsync", "close", "rename to report.md", `fsyncDir ${folder}`]);
  expect(readFileSync(path, "utf8")).toBe("new ✓");
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder)).toEqual(["report.md"]);
});

test.each<[string, Partial<FilePort>, string]>([
  [
    "a short write",
    { write: (fd, bytes) => realFiles.write(fd, bytes.subarray(0, 1)) },
    "ESHORTWRITE: only 1 of 3 bytes were written, the disk is probably full",
  ],
  ["a full disk", { write: () => raise("ENOSPC") }, "ENOSPC: injected"],
  ["a failed fsync", { fsync: () => raise("EIO") }, "EIO: injected"],
  ["a failed rename", { rename: () => raise("EIO") }, "EIO: injected"],
])("after %s the old document stands and no temp file is left", (_name, fault, cause) => {
  writeFileSync(path, "old");
  const failed = writeDocument({ ...realFiles, ...fault }, path, "new");
  const message = `${path} could not be written: ${cause}.`;
  expect(failed).toEqual({ ok: false, failure: { reason: "io", message } });
  expect(readFileSync(path, "utf8")).toBe("old");
  expect(readdirSync(folder)).toEqual(["report.md"]);
});

test("a file or symlink planted under the temp name is not written through", () => {
  const victim = join(folder, "victim");
  writeFileSync(victim, "precious");
  symlinkSync(victim, join(folder, ".report.md.guessed.tmp"));
  const refused = writeDocument(realFiles, path, "new", { nonce: "guessed" });
  expect(refused.ok ? undefined : refused.failure.message).toContain("EEXIST");
  expect(readFileSync(victim, "utf8")).toBe("precious");
  expect(writeDocument(realFiles, path, "new").ok).toBe(true);
});

function raise(code: string): never {
  throw Object.assign(new Error(`${code}: injected`), { code });
}
